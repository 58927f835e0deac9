import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { createTestDirectory } from '../testing/test-directory.js'
import { openPglite } from './open-pglite.js'

const logger = pino({ level: 'silent' })

let directory: string
const open: Db[] = []
beforeEach(async () => {
  directory = await createTestDirectory()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((db) => db.close()))
  rmSync(directory, { recursive: true, force: true })
})

async function start(): Promise<Db> {
  const db = await openPglite({ directory, logger })
  open.push(db)
  return db
}

describe('openPglite', () => {
  it('keeps rows over a restart, in a directory for its owner only', async () => {
    const first = await start()
    await first.exec("create table kept (text text); insert into kept values ('here')")
    await first.close()
    const second = await start()
    expect((await second.query('select text from kept')).rows).toEqual([{ text: 'here' }])
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  })

  it('refuses to open a directory twice in one process, and opens it again after close', async () => {
    const first = await start()
    await expect(openPglite({ directory, logger })).rejects.toThrow(
      `The data directory ${directory} is in use by process ${process.pid}. Stop it, or use another directory.`,
    )
    await first.close()
    await start()
  })

  it('begins afresh where its creation was cut off', async () => {
    rmSync(join(directory, 'pgdata', 'global'), { recursive: true })
    writeFileSync(join(directory, 'pgdata.incomplete'), '')
    const db = await start()
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('says what is wrong with a damaged directory, and frees it', async () => {
    rmSync(join(directory, 'pgdata', 'global'), { recursive: true })
    for (const _ of [1, 2]) {
      await expect(openPglite({ directory, logger })).rejects.toMatchObject({
        name: 'PgliteStartError',
        code: 'not_opened',
        message: expect.stringContaining(directory),
      })
    }
  })
})
