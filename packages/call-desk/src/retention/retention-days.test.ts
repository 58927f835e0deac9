import { expect, it } from 'vitest'
import { DEFAULT_GATE, type GateSettings } from '../gate/gate-settings.js'
import { DEFAULT_WEB_GATE } from '../web-calls/web-gate-settings.js'
import { DEFAULT_RETENTION, keptDays as keptDaysOf, type RetentionDays } from './retention-days.js'

const DAY_MS = 86_400_000

const keptDays = (days: RetentionDays, gate: GateSettings, web = DEFAULT_WEB_GATE) =>
  keptDaysOf(days, gate, web)

it('is as it was set where no limit looks further back', () => {
  expect(keptDays(DEFAULT_RETENTION, DEFAULT_GATE)).toEqual(DEFAULT_RETENTION)
})

it('keeps what a limit may still count', () => {
  const shortest = { transcripts: 1, addresses: 1, refused: 1, records: 1, audit: 1 }
  expect(keptDays(shortest, DEFAULT_GATE)).toEqual({
    transcripts: 1,
    // Who asks for too many numbers within an hour is refused for a day.
    addresses: 25 / 24,
    refused: 25 / 24,
    // The month of money.
    records: 32,
    audit: 1,
  })
  const sixty = [{ most: 1, windowMs: 60 * DAY_MS }]
  expect(keptDays(shortest, { ...DEFAULT_GATE, addressLimits: sixty })).toMatchObject({
    addresses: 60,
    refused: 60,
    records: 60,
  })
  expect(keptDays(shortest, DEFAULT_GATE, { ...DEFAULT_WEB_GATE, networkLimits: sixty })).toMatchObject({
    addresses: 60,
    records: 60,
  })
  expect(keptDays(shortest, DEFAULT_GATE, { ...DEFAULT_WEB_GATE, slugLimits: sixty })).toMatchObject({
    addresses: 60,
    records: 60,
  })
  expect(keptDays(shortest, { ...DEFAULT_GATE, prefixLimits: sixty })).toMatchObject({
    refused: 25 / 24,
    records: 60,
  })
  expect(keptDays(shortest, { ...DEFAULT_GATE, numberLimits: sixty })).toMatchObject({
    refused: 25 / 24,
    records: 60,
  })
})

it('keeps for ever what a limit counts for ever, but for the lifetime of a visitor', () => {
  const ever = [{ most: 5, windowMs: Number.POSITIVE_INFINITY }]
  expect(
    keptDays(
      DEFAULT_RETENTION,
      { ...DEFAULT_GATE, slugLimits: ever },
      { ...DEFAULT_WEB_GATE, slugLimits: ever },
    ).records,
  ).toBe(365)
  expect(keptDays(DEFAULT_RETENTION, { ...DEFAULT_GATE, numberLimits: ever }).records).toBe(
    Number.POSITIVE_INFINITY,
  )
})
