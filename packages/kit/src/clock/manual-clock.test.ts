import { expect, it } from 'vitest'
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
