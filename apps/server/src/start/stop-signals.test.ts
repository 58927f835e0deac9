import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { StopSignals } from './stop-signals.js'

it('takes a signal that comes twice at the same time for one', () => {
  const clock = new ManualClock()
  const signals = new StopSignals(clock)
  expect(signals.meaningOf('SIGINT')).toBe('stop')
  clock.advance(999)
  expect(signals.meaningOf('SIGINT')).toBeUndefined()
  clock.advance(1)
  expect(signals.meaningOf('SIGINT')).toBe('stop-at-once')
})

it('stops at once where another signal follows', () => {
  const signals = new StopSignals(new ManualClock())
  expect(signals.meaningOf('SIGTERM')).toBe('stop')
  expect(signals.meaningOf('SIGINT')).toBe('stop-at-once')
})
