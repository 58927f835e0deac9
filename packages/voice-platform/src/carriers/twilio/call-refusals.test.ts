import { expect, it } from 'vitest'
import { callRefusal } from './call-refusals.js'

it.each([
  ['21210', 'see heyline numbers'],
  ['21212', 'see heyline numbers'],
  ['21215', 'Geo permissions'],
  ['20003', 'TWILIO_AUTH_TOKEN'],
  ['21211', 'not a valid phone number'],
  ['20429', 'not tried again'],
  ['21219', 'trial account'],
])('says of %s what to do, with the code to look up', (code, words) => {
  const { message } = callRefusal(code, 'Their words')
  expect(message).toContain(words)
  expect(message).toContain(code)
  expect(message).not.toContain('Their words')
})

it("has Twilio's words for a code that it does not know", () => {
  expect(callRefusal('99999', 'Their words').message).toBe(
    "Twilio refused the call: Their words (Twilio's error 99999)",
  )
})

it.each([
  ['20429', true],
  ['20003', true],
  ['20005', true],
  ['10001', true],
  ['http_429', true],
  ['21210', false],
  ['21211', false],
  ['21215', false],
  ['21219', false],
  ['99999', false],
])('knows whether %s would meet any call: %s', (code, isOfLines) => {
  expect(callRefusal(code, 'Their words')).toMatchObject({ isOfLines, mayPass: false })
})
