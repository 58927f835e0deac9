import { expect, it } from 'vitest'
import { stoppedCalls } from './gate-summary.js'

it('says what stops all calls, and how to go on', () => {
  const at = '2026-11-20T10:00:00.000Z'
  expect(stoppedCalls({ pausedAt: null, breaker: null })).toEqual([])
  expect(stoppedCalls({ pausedAt: at, breaker: { at, reason: 'failures' } })).toEqual([
    `Careful: calls are paused since ${at}: none is placed until heyline calls resume.`,
    `Careful: the circuit breaker stopped all calls at ${at} (failures): none is placed until heyline calls resume; look at heyline calls status first.`,
  ])
})
