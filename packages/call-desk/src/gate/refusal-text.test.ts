import { expect, it } from 'vitest'
import { REFUSALS } from './refusal.js'
import { incomingRefusalText, refusalText } from './refusal-text.js'

it.each(REFUSALS)('says in plain words what %s means', (code) => {
  expect(refusalText(code)).toMatch(/^[A-Z][^_]*( \([A-Z_]+\))?[^_]*\.$/)
})

it.each(REFUSALS)('says in plain words what %s means of a call to us', (code) => {
  expect(incomingRefusalText(code)).toMatch(/^[A-Z][^_]*( \([A-Z_]+\))?[^_]*\.$/)
})

it('leaves what it does not know as it is', () => {
  expect([refusalText('of_tomorrow'), refusalText(null)]).toEqual(['of_tomorrow', null])
})
