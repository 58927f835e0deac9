import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const BOUND = new URL('../../dist/pglite/long-timers.js', import.meta.url)
const PGLITE = import.meta.resolve('@electric-sql/pglite')

/** A thread with a Postgres whose clock is put back by thirty days. It says how many timers did not fit meanwhile. */
const THREAD = `
  import { setTimeout as delay } from 'node:timers/promises'
  import { parentPort, workerData } from 'node:worker_threads'
  import { PGlite } from '${PGLITE}'
  import { boundTimers } from '${BOUND}'
  if (workerData.isBound) boundTimers(globalThis)
  let warnings = 0
  process.on('warning', ({ name }) => { if (name === 'TimeoutOverflowWarning') warnings += 1 })
  const now = Date.now
  Date.now = () => now() + 30 * 24 * 3600 * 1000
  const pglite = await PGlite.create()
  await pglite.exec("set statement_timeout = '200ms'")
  await pglite.query('select pg_sleep(0.01)')
  Date.now = now
  for (let time = 0; time < 4; time += 1) {
    await pglite.query('select 1')
    await delay(300)
  }
  parentPort.postMessage(warnings)
`

async function warningsOf(isBound: boolean): Promise<number> {
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), {
    workerData: { isBound },
    stderr: true,
  })
  try {
    return (await once(thread, 'message'))[0]
  } finally {
    await thread.terminate()
  }
}

it('has Postgres in a thread bear a clock that is put back by a month, as it does not by itself', async () => {
  expect(await warningsOf(true)).toBe(0)
  expect(await warningsOf(false)).toBeGreaterThan(10)
})
