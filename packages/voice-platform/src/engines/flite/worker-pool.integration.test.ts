import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { EngineError } from '../engine.js'
import { WorkerPool } from './worker-pool.js'

const logger = pino({ level: 'silent' })
/** A worker that obeys its text: `die`, `hang`, `fail`, `thread`, or anything for as many samples as characters. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', ({ id, text }) => {
      if (text === 'die') process.exit(3)
      if (text === 'hang') return
      if (text === 'fail') return parentPort.postMessage({ id, error: 'no voice' })
      const samples = text === 'thread' ? Int16Array.of(threadId) : new Int16Array(text.length)
      parentPort.postMessage({ id, samples })
    })
  `)}`,
)

let pool: WorkerPool | undefined
afterEach(() => pool?.close())
const open = (size: number, timeoutMs?: number) => {
  pool = new WorkerPool({ script, size, logger, ...(timeoutMs !== undefined && { timeoutMs }) })
  return pool
}

describe('WorkerPool', () => {
  it('does more jobs than it has threads', async () => {
    const workers = open(2)
    const results = await Promise.all(
      ['a', 'bb', 'ccc', 'dddd', 'eeeee'].map((text) => workers.run(text).speech),
    )
    expect(results.map(({ length }) => length)).toEqual([1, 2, 3, 4, 5])
  })

  it('keeps its threads', async () => {
    const workers = open(1)
    workers.warm()
    const [first] = await workers.run('thread').speech
    const [second] = await workers.run('thread').speech
    expect(first).toBe(second)
  })

  it('rejects with the reason of a job that failed, and goes on', async () => {
    const workers = open(1)
    await expect(workers.run('fail').speech).rejects.toThrow(new EngineError('flite', 'no voice'))
    expect(await workers.run('ok').speech).toHaveLength(2)
  })

  it('replaces a thread that died: only its own job is lost', async () => {
    const workers = open(1)
    const lost = workers.run('die').speech
    const next = workers.run('ok').speech
    await expect(lost).rejects.toThrow('exit code 3')
    await expect(lost).rejects.toBeInstanceOf(EngineError)
    expect(await next).toHaveLength(2)
  })

  it('ends a thread that hangs', async () => {
    const workers = open(1, 100)
    await expect(workers.run('hang').speech).rejects.toThrow('no answer for 100 ms')
  })

  it('rejects what it was doing and what waits when it is closed', async () => {
    const workers = open(1)
    const jobs = Promise.allSettled([workers.run('hang').speech, workers.run('ok').speech])
    await workers.close()
    await workers.close()
    for (const job of await jobs) expect(job).toMatchObject({ reason: expect.any(EngineError) })
    await expect(workers.run('ok').speech).rejects.toThrow('closed')
  })

  it('rejects every job when its script cannot be started', async () => {
    pool = new WorkerPool({ script: new URL('file:///no/such/worker.js'), size: 1, logger })
    await expect(pool.run('a').speech).rejects.toBeInstanceOf(EngineError)
    await expect(pool.run('b').speech).rejects.toBeInstanceOf(EngineError)
  })

  describe('with work that waits', () => {
    /** One thread that has something to do, and the order in which the rest is done. */
    const busy = () => {
      // All ask at the same moment.
      const workers = new WorkerPool({ script, size: 1, logger, clock: new ManualClock() })
      pool = workers
      const order: string[] = []
      const start = (text: string, options?: { ahead: boolean }) => {
        const work = workers.run(text, options)
        work.speech.then(
          () => order.push(text),
          (error: EngineError) => order.push(`${text}: ${error.message}`),
        )
        return work
      }
      start('first')
      return { order, start }
    }

    it('does live speech before what is made ahead of need', async () => {
      const { order, start } = busy()
      const prepared = start('prepared', { ahead: true })
      start('live')
      start('live too')
      await prepared.speech
      expect(order).toEqual(['first', 'live', 'live too', 'prepared'])
    })

    it('does what was made ahead of need at once when it hurries', async () => {
      const { order, start } = busy()
      const other = start('other', { ahead: true })
      const prepared = start('prepared', { ahead: true })
      prepared.hurry()
      start('live')
      await other.speech
      expect(order).toEqual(['first', 'prepared', 'live', 'other'])
      prepared.hurry()
      expect(prepared.drop()).toBe(false)
    })

    it('never begins what was dropped', async () => {
      const { order, start } = busy()
      const dropped = start('dropped')
      expect(dropped.drop()).toBe(true)
      expect(dropped.drop()).toBe(false)
      await start('live').speech
      expect(order).toEqual(['dropped: flite: nobody waits for this speech', 'first', 'live'])
    })

    it('keeps twenty jobs ahead of need, the newest', async () => {
      const { order, start } = busy()
      const jobs = Array.from({ length: 22 }, (_, n) => start(`${n}`, { ahead: true }))
      await jobs.at(-1)?.speech
      expect(order.slice(0, 2)).toEqual(['0', '1'].map((n) => `${n}: flite: dropped for newer speech`))
      expect(order).toHaveLength(23)
    })
  })
})
