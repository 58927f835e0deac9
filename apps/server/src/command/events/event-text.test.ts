import { expect, it } from 'vitest'
import { eventColumns } from './event-text.js'

const event = {
  id: '0d9f1f2e-0000-4000-8000-000000000000',
  type: 'call.completed',
  at: '2026-05-01T10:00:00.000Z',
  slug: 'acme',
  actor: 'system',
  callId: '1d9f1f2e-0000-4000-8000-000000000000',
  payload: { outcome: null, seconds: 75 },
} as const

it('shows an event in columns, and nothing that nobody knows', () => {
  expect(eventColumns(event)).toEqual([
    '2026-05-01 10:00:00Z',
    '0d9f1f2e',
    'call.completed',
    'acme',
    'call 1d9f1f2e',
    'system seconds=75',
  ])
  const changed = {
    ...event,
    type: 'visitor.changed',
    callId: null,
    payload: { fields: ['name', 'slug'] },
  } as const
  expect(eventColumns({ ...changed, payload: { fields: ['name', 'slug'] } }).slice(4)).toEqual([
    '-',
    'system fields=name,slug',
  ])
})

it('leaves out what would steer a terminal', () => {
  expect(eventColumns({ ...event, slug: 'a\u001B[31mb' })[3]).toBe('a [31mb')
})
