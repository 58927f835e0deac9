import { expect, it } from 'vitest'
import { costText, durationText, moneyText, outcomeText, placeText } from './call-text.js'

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
  ['outbound', '…71', 'phone …71'],
  ['inbound', '…71', 'called us …71'],
  [null, null, 'browser'],
] as const)(
  'says of a call with the direction %s and the number %j where it was: %s',
  (direction, phone, text) => expect(placeText({ direction, phone })).toBe(text),
)
