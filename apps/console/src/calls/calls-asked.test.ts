import { expect, it } from 'vitest'
import { callsAsked, csvAddress } from './calls-asked.js'

const now = Date.parse('2026-11-22T10:00:00Z')

it('asks for what the address says, and for nothing else', () => {
  expect(callsAsked({}, now)).toEqual({})
  expect(
    callsAsked(
      {
        text: 'acme',
        kind: 'web',
        direction: 'inbound',
        state: 'running',
        outcome: 'busy',
        within: '7d',
        min: '30',
      },
      now,
    ),
  ).toEqual({
    text: 'acme',
    kind: 'web',
    direction: 'inbound',
    states: 'queued,dialling,ringing,in-progress,unknown',
    outcome: 'busy',
    since: '2026-11-15T10:00:00.000Z',
    minSeconds: 30,
  })
})

it('exports the same, safely for spreadsheets', () => {
  expect(csvAddress({ state: 'ended', min: '60' }, now)).toBe(
    '/-/office/calls/export.csv?states=ended&minSeconds=60&safe=true',
  )
})
