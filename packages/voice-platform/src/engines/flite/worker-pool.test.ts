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
    const results = await Promise.all(['a', 'bb', 'ccc', 'dddd', 'eeeee'].map((text) => workers.run(text)))
    expect(results.map(({ length }) => length)).toEqual([1, 2, 3, 4, 5])
  })

  it('keeps its threads', async () => {
    const workers = open(1)
    workers.warm()
    const [first] = await workers.run('thread')
    const [second] = await workers.run('thread')
    expect(first).toBe(second)
  })

  it('rejects with the reason of a job that failed, and goes on', async () => {
    const workers = open(1)
    await expect(workers.run('fail')).rejects.toThrow(new EngineError('flite', 'no voice'))
    expect(await workers.run('ok')).toHaveLength(2)
  })

  it('replaces a thread that died: only its own job is lost', async () => {
    const workers = open(1)
    const lost = workers.run('die')
    const next = workers.run('ok')
    await expect(lost).rejects.toThrow('exit code 3')
    await expect(lost).rejects.toBeInstanceOf(EngineError)
    expect(await next).toHaveLength(2)
  })

  it('ends a thread that hangs', async () => {
    const workers = open(1, 100)
    await expect(workers.run('hang')).rejects.toThrow('no answer for 100 ms')
  })

  it('rejects what it was doing and what waits when it is closed', async () => {
    const workers = open(1)
    const jobs = Promise.allSettled([workers.run('hang'), workers.run('ok')])
    await workers.close()
    await workers.close()
    for (const job of await jobs) expect(job).toMatchObject({ reason: expect.any(EngineError) })
    await expect(workers.run('ok')).rejects.toThrow('closed')
  })

  it('rejects every job when its script cannot be started', async () => {
    pool = new WorkerPool({ script: new URL('file:///no/such/worker.js'), size: 1, logger })
    await expect(pool.run('a')).rejects.toBeInstanceOf(EngineError)
    await expect(pool.run('b')).rejects.toBeInstanceOf(EngineError)
  })
})
