import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { Freshening } from './freshening.js'

it('asks once for each noun, however many events come', () => {
  const clock = new ManualClock()
  const asked: string[] = []
  const freshening = new Freshening(clock, (noun) => asked.push(noun))
  for (let event = 0; event < 100; event++) freshening.changed('calls')
  freshening.changed('visitors')
  expect(asked).toEqual([])
  clock.advance(300)
  expect(asked).toEqual(['calls', 'visitors'])
  freshening.changed('calls')
  clock.advance(300)
  expect(asked).toEqual(['calls', 'visitors', 'calls'])
  freshening.changed('calls')
  freshening.stop()
  expect(clock.pending).toBe(0)
})
