import { expect, it } from 'vitest'
import { timeFinding } from './certificate-check.js'

const NOW = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** As Node shows it. */
const written = (time: number) => new Date(time).toUTCString()

it.each([
  ['90 days, 60 left', 90 * DAY, 60 * DAY, 'ok', /valid, for 60 days more/],
  ['90 days, 15 left', 90 * DAY, 15 * DAY, 'ok', /15 days/],
  ['90 days, 13 left', 90 * DAY, 13 * DAY, 'warn', /only 13 days/],
  ['a year, 15 left', 365 * DAY, 15 * DAY, 'ok', /15 days/],
  ['six days, two left', 6 * DAY, 2 * DAY, 'ok', /2 days/],
  ['six days, half a day left', 6 * DAY, 12 * HOUR, 'warn', /only 12 hours/],
  ['twelve hours, five left', 12 * HOUR, 5 * HOUR, 'ok', /5 hours/],
  ['twelve hours, one left', 12 * HOUR, HOUR, 'warn', /only 1 hours/],
])('a certificate of %s', (_, life, left, status, message) => {
  const times = { valid_from: written(NOW + left - life), valid_to: written(NOW + left) }
  expect(timeFinding('demo.example', times, NOW)).toMatchObject({
    status,
    message: expect.stringMatching(message),
  })
})
