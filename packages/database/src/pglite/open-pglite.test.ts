import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../db.js'
import { createTestDirectory } from '../testing/test-directory.js'
import { openPglite } from './open-pglite.js'
import { PgliteDb } from './pglite-db.js'

const logger = pino({ level: 'silent' })
const packageFolder = fileURLToPath(new URL('../..', import.meta.url))

/** Opens the directory given as argument, then inserts one row after another and prints each that was acknowledged. */
const INSERTER = `
  import { openPglite } from '@heyline/database'
  import { pino } from 'pino'
  const db = await openPglite({ directory: process.argv[1], logger: pino({ level: 'silent' }) })
  await db.exec('create table if not exists kept (id int primary key)')
  const { rows } = await db.query('select coalesce(max(id), 0) as last from kept')
  for (let id = rows[0].last + 1; ; id++) {
    await db.query('insert into kept values ($1)', [id])
    console.log(id)
  }
`

let directory: string
const open: Db[] = []
const children: ChildProcess[] = []
beforeEach(async () => {
  directory = await createTestDirectory()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(open.splice(0).map((db) => db.close()))
  rmSync(directory, { recursive: true, force: true })
})

async function start(): Promise<Db> {
  const db = await openPglite({ directory, logger })
  open.push(db)
  return db
}

/** Starts the inserter and kills it once it has acknowledged that many rows; what it acknowledged. */
async function insertAndKill(
  count: number,
  whileRunning: () => Promise<void> = async () => {},
): Promise<number[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', INSERTER, directory], {
    cwd: packageFolder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const ended = once(child, 'exit')
  const acknowledged: number[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line))
    if (acknowledged.length === 1) await whileRunning()
    if (acknowledged.length === count) child.kill('SIGKILL')
  }
  await ended
  return acknowledged
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

  it('loses no acknowledged row to kill -9, refuses a second process meanwhile, and takes its lock over', async () => {
    const rounds = [
      await insertAndKill(300, async () => {
        await expect(openPglite({ directory, logger })).rejects.toMatchObject({
          code: 'data_directory_locked',
        })
      }),
      await insertAndKill(300),
    ]
    const { rows } = await (await start()).query<{ id: number }>('select id from kept')
    const kept = new Set(rows.map(({ id }) => id))
    expect(rounds.flat().length).toBeGreaterThanOrEqual(600)
    expect(rounds.flat().filter((id) => !kept.has(id))).toEqual([])
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

describe('a PGlite that breaks', () => {
  /** Deeper than any stack: Postgres's JSON parser calls itself once per bracket. */
  const OVERFLOW = "select repeat('[', 3000000)::json"

  it('rejects what is under way and what follows, and keeps what was committed', async () => {
    const db = await start()
    await db.exec('create table kept (id int)')
    await db.query('insert into kept values (1)')
    const stopped = { name: 'DatabaseError', code: '57P01' }
    const transaction = db.transaction(async (tx) => {
      await tx.query('insert into kept values (2)')
      await tx.query(OVERFLOW)
    })
    const behind = db.query('select 1')
    await expect(transaction).rejects.toMatchObject(stopped)
    await expect(behind).rejects.toMatchObject(stopped)
    await expect(db.query('select 1')).rejects.toMatchObject(stopped)
    await db.close()
    expect((await (await start()).query('select id from kept')).rows).toEqual([{ id: 1 }])
  })

  it('is cut off when a statement outlasts the grace of close', async () => {
    const { db } = await PgliteDb.open({ directory, logger, closeGraceMs: 50, released: () => {} })
    await db.exec('create function forever() returns void language plpgsql as $$ begin loop end loop; end $$')
    const forever = expect(db.query('select forever()')).rejects.toMatchObject({ code: '57P01' })
    await db.close()
    await forever
  })
})
