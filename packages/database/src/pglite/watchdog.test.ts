import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Pulse } from './pulse.js'
import type { Task } from './task.js'
import { Watchdog } from './watchdog.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('gives up at once what cannot have committed, and after a moment what may have', () => {
  const given: unknown[] = []
  for (const standing of ['inside', 'commit'] as const) {
    const pulse = new Pulse()
    const work: Task['work'] = { type: 'run', sql: 'select', parameters: [], standing }
    const task: Task = { work, holder: undefined, patienceMs: 50, id: 1, resolve: () => {}, reject: () => {} }
    new Watchdog(() => given.push(standing)).watch({ pulse }, task)
    pulse.begin(1)
  }
  vi.advanceTimersByTime(50)
  expect(given).toEqual(['inside'])
  vi.advanceTimersByTime(100)
  expect(given).toEqual(['inside', 'commit'])
})

it('does not give up a thread that is writing, nor one that is syncing', () => {
  const pulse = new Pulse()
  const given: Task[] = []
  const task: Task = {
    work: { type: 'run', sql: 'commit', parameters: [], standing: 'commit' },
    holder: undefined,
    patienceMs: 50,
    id: 1,
    resolve: () => {},
    reject: () => {},
  }
  new Watchdog((slow) => given.push(slow)).watch({ pulse }, task)
  pulse.begin(1)
  pulse.write(() => vi.advanceTimersByTime(5_000), true)
  expect(given).toEqual([])
  pulse.sync(() => vi.advanceTimersByTime(5_000))
  expect(given).toEqual([])
  vi.advanceTimersByTime(5_000)
  expect(given).toEqual([task])
})
