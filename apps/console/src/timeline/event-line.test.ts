import { expect, it } from 'vitest'
import { actorWords, detailWords, eventWords } from './event-line.js'

it.each([
  [{}, ''],
  [{ outcome: 'completed', seconds: 75 }, 'Completed · 1:15'],
  [{ outcome: null, seconds: 0 }, ''],
  [{ kind: 'web', reason: 'budget_exhausted' }, 'Browser · budget exhausted'],
  [{ fields: ['name', 'system'] }, 'name, prompt'],
  [{ fields: ['slug'], formerSlug: 'acme' }, 'slug · was acme'],
  [{ kind: 'phone', budget: 'day', percent: 80, limitMicrousd: 10_000_000 }, 'Phone · 80 % of $10.00 a day'],
])('says %j as “%s”', (payload, words) => {
  expect(detailWords({ payload })).toBe(words)
})

it('says who called whom', () => {
  expect(eventWords({ type: 'call.requested', payload: {} })).toBe('Asked for a phone call')
  expect(eventWords({ type: 'call.requested', payload: { direction: 'inbound' } })).toBe('Called us')
  expect(eventWords({ type: 'call.refused', payload: { direction: 'inbound' } })).toBe('A call was refused')
})

it('says who did it', () => {
  expect(['visitor', 'system', 'operator', 'ada@example.com'].map(actorWords)).toEqual([
    'The visitor',
    'Heyline',
    'An operator',
    'ada@example.com',
  ])
})
