import { expect, it } from 'vitest'
import { steadyClock } from './clock.js'
import { ManualClock } from './manual-clock.js'

it('sets alarms off in their order, each at its own time, and those that are set meanwhile', () => {
  const clock = new ManualClock(1000)
  const rung: [string, number][] = []
  const ring = (name: string) => () => void rung.push([name, clock.now()])
  clock.after(30, ring('third'))
  clock.after(10, () => {
    ring('first')()
    clock.after(10, ring('second'))
  })
  const cancel = clock.after(5, ring('never'))
  cancel()
  clock.advance(29)
  expect(rung).toEqual([
    ['first', 1010],
    ['second', 1020],
  ])
  expect(clock.pending).toBe(1)
  clock.advance(1)
  expect(rung.at(-1)).toEqual(['third', 1030])
  expect(clock.pending).toBe(0)
})

it('can be set while no time passes, which a steady clock does not notice', () => {
  const clock = new ManualClock(1000)
  const steady = steadyClock(clock)
  clock.advance(10)
  clock.step(3_600_000)
  expect([clock.now(), clock.monotonic(), steady.now()]).toEqual([3_601_010, 1010, 1010])
  clock.advance(5)
  expect([clock.monotonic(), steady.now()]).toEqual([1015, 1015])
})
