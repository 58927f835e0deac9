import { describe, expect, it } from 'vitest'
import { newCampaign, scheduleFault, storedCustomer } from './campaign-schema.js'

const NOW = Date.parse('2026-11-28T12:00:00Z')
const DAY_MS = 86_400_000
const at = (days: number) => new Date(NOW + days * DAY_MS)
const ID = '00000000-0000-4000-8000-000000000000'
const body = (changes: object) => ({
  ...{ name: 'Reminders', assistantId: ID, phoneNumberId: ID, customers: [{ number: '+14155552671' }] },
  ...changes,
})

describe('the times of a campaign', () => {
  it.each<[string, number, number | undefined]>([
    ['now, without an end', 0, undefined],
    ['long ago, until tomorrow', -900, 1],
    ['in a year, for a month', 365, 396],
  ])('may be %s', (_, earliest, latest) => {
    const plan = { earliestAt: at(earliest), ...(latest !== undefined && { latestAt: at(latest) }) }
    expect(scheduleFault(plan, NOW)).toBeUndefined()
  })

  it.each<[string, number, number | undefined, RegExp]>([
    ['begin in years', 367, undefined, /within 366 days/],
    ['end before they begin', 2, 1, /later than earliestAt/],
    ['be over', -2, -1, /than now/],
    ['go on for ever', 0, 32, /at most 31 days/],
    ['go on for ever from long ago', -900, 32, /at most 31 days/],
  ])('may not %s', (_, earliest, latest, fault) => {
    const plan = { earliestAt: at(earliest), ...(latest !== undefined && { latestAt: at(latest) }) }
    expect(scheduleFault(plan, NOW)).toMatch(fault)
  })
})

describe('a customer', () => {
  it('is stored by number, with all that texts may need', () => {
    const [customer] = newCampaign.parse(
      body({
        customers: [
          {
            number: '+14155552671',
            name: 'Ada',
            assistantOverrides: { variableValues: { order: 'A-7' } },
          },
        ],
      }),
    ).customers
    expect(customer && storedCustomer(customer, 0)).toEqual({
      number: '+14155552671',
      details: { name: 'Ada', variableValues: { order: 'A-7' } },
    })
  })

  it.each<[string, object]>([
    ['a number without its country', { number: '4155552671' }],
    ['neither a number nor a SIP address', { name: 'Ada' }],
    ['a longer call', { number: '+14155552671', assistantOverrides: { maxDurationSeconds: 900 } }],
    [
      'more than a page of values',
      { number: '+14155552671', assistantOverrides: { variableValues: { a: 'x'.repeat(4000) } } },
    ],
  ])('may not have %s', (_, customer) => {
    expect(newCampaign.safeParse(body({ customers: [customer] })).success).toBe(false)
  })

  it.each<[string, object]>([
    ['extension', { number: '+14155552671', extension: '12' }],
    ['sipUri', { sipUri: 'sip:ada@example.com' }],
  ])('with an %s is known, and not served', (field, customer) => {
    const { customers } = newCampaign.parse(body({ customers: [customer] }))
    expect(() => customers.map(storedCustomer)).toThrow(
      expect.objectContaining({
        status: 422,
        message: expect.stringMatching(new RegExp(`^customers\\.0\\.${field} is not served`)),
      }),
    )
  })
})
