import { expect, it } from 'vitest'
import { readRetryAfter } from './retry-after.js'

const NOW = Date.UTC(1994, 10, 6, 8, 49, 7)

it.each([
  ['120', 120_000],
  ['0', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 30_000],
  ['Sun Nov  6 08:49:37 1994', 30_000],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
])('reads %j as %i ms', (header, ms) => expect(readRetryAfter(header, NOW)).toBe(ms))

it.each(['', '-5', '1.5', '1e3', '0x10', '1994-11-06', 'Soon', 'Sunday'])('reads no time in %j', (header) =>
  expect(readRetryAfter(header, NOW)).toBeUndefined(),
)
