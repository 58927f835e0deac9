import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openPglite } from './open-pglite.js'
import { startThreadEarly, takeThread } from './thread.js'

const logger = pino({ level: 'silent' })
const THREAD = new URL('../../dist/pglite/thread.js', import.meta.url)

it('serves the database that is opened after it was started early', async () => {
  startThreadEarly()
  const root = mkdtempSync(join(tmpdir(), 'heyline-thread-'))
  try {
    const db = await openPglite({ directory: join(root, 'pglite'), logger })
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await db.close()
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

it('is one thread however often it is started, and the next is a new one', async () => {
  startThreadEarly()
  startThreadEarly()
  const [early, next] = [takeThread(), takeThread()]
  expect(next.threadId).toBe(early.threadId + 1)
  await Promise.all([early.terminate(), next.terminate()])
})

it('keeps no process alive that never opens a database', async () => {
  const script = `(await import(${JSON.stringify(THREAD.href)})).startThreadEarly(); console.log('started')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 30_000,
  })
  expect(stdout).toBe('started\n')
})
