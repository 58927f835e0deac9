import { describe, expect, it } from 'vitest'
import { callVariables, pageToolVariables } from './call-variables.js'

const now = new Date('2026-03-05T00:04:09Z')

it('are the platform’s own, in UTC', () => {
  expect(callVariables({}, now).values).toEqual({
    now: 'Mar 5, 2026 12:04 AM',
    date: 'Mar 5, 2026',
    time: '12:04 AM',
    month: 'March',
    day: 5,
    year: '2026',
    transport: { conversationType: 'voice' },
  })
  expect(callVariables({}, new Date('2026-12-31T23:30:00Z')).values).toMatchObject({
    now: 'Dec 31, 2026 11:30 PM',
  })
})

it('hold the customer of a phone call', () => {
  const customer = {
    number: '+12025550123',
    name: 'Sample Bakery',
    assistantOverrides: { variableValues: { plan: 'gold' } },
  }
  expect(callVariables({ customer }, now).values).toMatchObject({
    customer: { number: '+12025550123', name: 'Sample Bakery' },
    plan: 'gold',
  })
  expect(callVariables({ customer }, now).values.customer).not.toHaveProperty('assistantOverrides')
})

it('of the call come before the platform’s, and the customer’s before these', () => {
  const overrides = { variableValues: { date: 'Sunday', plan: 'none', extra: 1 } }
  const customer = { assistantOverrides: { variableValues: { plan: 'gold' } } }
  expect(callVariables({ overrides, customer }, now).values).toMatchObject({
    date: 'Sunday',
    plan: 'gold',
    extra: 1,
  })
})

it('say whether the network vouches for a caller’s number, and no value says it', () => {
  const overrides = { variableValues: { callerProven: true } }
  expect(callVariables({ overrides, callerProven: false }, now).values).toMatchObject({ callerProven: false })
  expect(callVariables({ overrides }, now).values).not.toHaveProperty('callerProven')
})

describe('of the tools of a page’s conversation', () => {
  const set = { plan: 'silver' }
  const given = (variableValues: Record<string, unknown>, learned: ReadonlySet<string> | undefined) =>
    pageToolVariables(
      { overrides: { variableValues }, customer: { number: '+12025550123' } },
      { learned, set, now },
    ).values
  const own = { ...callVariables({}, now).values, ...set }

  it.each([
    'customer',
    'customer.number',
    'customer["number"]',
    '["customer"].number',
    ' customer',
    'transport',
    'callerProven',
    'now',
    'customerId',
    'customerId.of',
    'order',
  ])('have nothing of the page’s as %s', (name) => {
    expect(given({ [name]: 'chosen' }, new Set(['customerId', 'order.id']))).toEqual(own)
  })

  it('have its other values, but those that are set for the assistant go before them', () => {
    expect(given({ name: 'Ada', plan: 'gold' }, new Set())).toEqual({ ...own, name: 'Ada' })
  })

  it('have none of its values where nobody knows what is learned', () => {
    expect(given({ name: 'Ada' }, undefined)).toEqual(own)
  })
})
