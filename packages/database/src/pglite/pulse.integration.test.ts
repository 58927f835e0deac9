import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { Pulse } from './pulse.js'

const PULSE = new URL('../../dist/pglite/pulse.js', import.meta.url)

/** A thread that begins statement 1, then writes, finishes and begins 2, and says so, each time it is told to go on. */
const THREAD = `
  import { parentPort, workerData } from 'node:worker_threads'
  import { Pulse } from '${PULSE}'
  const pulse = new Pulse(workerData)
  const steps = [() => pulse.begin(1), () => pulse.write(() => {}, true), () => pulse.finish(1), () => pulse.begin(2)]
  parentPort.on('message', () => { steps.shift()(); parentPort.postMessage(steps.length) })
`

it('keeps a cancelled statement from writing, and others from beginning, until it is let go', async () => {
  const pulse = new Pulse()
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), {
    workerData: pulse.memory,
  })
  const step = async (): Promise<number> => {
    const said = once(thread, 'message')
    thread.postMessage('go on')
    return (await said)[0]
  }
  /** Whether the step is still not done after everything else had its turn. */
  const isStuck = (step: Promise<number>): Promise<boolean> =>
    Promise.race([step.then(() => false), new Promise<true>((resolve) => setTimeout(resolve, 100, true))])

  expect(await step()).toBe(3)
  expect([pulse.begun, pulse.finished]).toEqual([1, 0])
  pulse.cancel(1)
  const write = step()
  expect(await isStuck(write)).toBe(true)
  expect([pulse.busy, pulse.logged]).toEqual([false, 0])
  pulse.letGo()
  expect(await write).toBe(2)
  expect([pulse.busy, pulse.logged]).toEqual([false, 1])
  expect(await step()).toBe(1)
  pulse.cancel(1)
  const begin = step()
  expect(await isStuck(begin)).toBe(true)
  expect([pulse.begun, pulse.finished]).toEqual([1, 1])
  pulse.letGo()
  expect(await begin).toBe(0)
  expect(pulse.begun).toBe(2)
  await thread.terminate()
})

it('knows while something is written or synced, and whose write went to the log, before it is done', () => {
  const pulse = new Pulse()
  pulse.begin(1)
  const state = (): unknown => [pulse.busy, pulse.logged]
  expect(pulse.write(state, false)).toEqual([true, 0])
  expect(pulse.write(state, true)).toEqual([true, 1])
  expect(state()).toEqual([false, 1])
  pulse.begin(2)
  pulse.sync(() => expect(state()).toEqual([true, 1]))
  expect(() =>
    pulse.write(() => {
      throw new Error('disk full')
    }, false),
  ).toThrow('disk full')
  expect(state()).toEqual([false, 1])
})
