import { expect, it } from 'vitest'
import { costText, durationText, harmless, moneyText, outcomeText, placeText, table } from './call-text.js'
import { timeOf } from './time-option.js'

it.each([
  [null, '-'],
  [0, '0:00'],
  [83, '1:23'],
  [600, '10:00'],
])('writes %j seconds as %s', (seconds, text) => expect(durationText(seconds)).toBe(text))

it.each([
  [null, '-'],
  [0, '$0.00'],
  [210_000, '$0.21'],
  [1_234_500, '$1.2345'],
  [4_000, '$0.004'],
])('writes %j millionths of a dollar as %s', (microusd, text) => expect(moneyText(microusd)).toBe(text))

it.each([
  [null, null, '-'],
  [210_000, null, '$0.21'],
  [null, 750_000, 'up to $0.75'],
])('writes a cost of %j with %j set aside as %s', (costMicrousd, reservedMicrousd, text) =>
  expect(costText({ costMicrousd, reservedMicrousd })).toBe(text),
)

it.each([
  [null, null, '-'],
  ['completed', null, 'completed'],
  ['cancelled', 'paused', 'cancelled (paused)'],
  [null, 'paused', '- (paused)'],
])('writes the outcome %j of a call that we ended for %j as %s', (outcome, hangUpReason, text) =>
  expect(outcomeText({ outcome, hangUpReason })).toBe(text),
)

it.each([
  ['phone', '…71', 'phone …71'],
  ['web', null, 'browser'],
] as const)('says of a call of the kind %s to %j where it was: %s', (kind, phone, text) =>
  expect(placeText({ kind, phone })).toBe(text),
)

it('takes from a text what would steer a terminal', () =>
  expect(harmless('a\u001B[31mb\nc\u0007\u009B')).toBe('a [31mb\nc  '))

it('sets rows in columns', () =>
  expect(
    table([
      ['a', 'bb', 'c'],
      ['aaa', 'b', ''],
    ]),
  ).toBe('a    bb  c\naaa  b'))

const NOW = Date.parse('2026-11-20T12:00:00Z')
it.each([
  ['30s', '2026-11-20T11:59:30.000Z'],
  ['30m', '2026-11-20T11:30:00.000Z'],
  ['24h', '2026-11-19T12:00:00.000Z'],
  ['7d', '2026-11-13T12:00:00.000Z'],
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20 09:30', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T09:30:15+02:00', '2026-11-20T07:30:15.000Z'],
])('reads the time %s', (text, iso) => expect(timeOf(text, '--since', NOW)).toBe(iso))

it.each(['', 'yesterday', '5', '5w', '2026-13-01', '2026-11-20T25:00', '-5m'])(
  'takes %j for no time',
  (text) => expect(() => timeOf(text, '--since', NOW)).toThrow(/^--since is a time like/),
)
