import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { code } from '../contract/failure.contract.js'
import type { Queryable } from '../db/db.js'
import { createTestDirectory } from '../testing/test-directory.js'
import { PgliteDb, type PgliteDbOptions } from './pglite-db.js'

const logger = pino({ level: 'silent' })
/** For a test that reopens many times, on a machine that is busy with others, in ms. */
const LONG = 90_000
/** Deeper than any stack: Postgres's JSON parser calls itself once per bracket. */
const OVERFLOW = "select repeat('[', 3000000)::json"
const BUSY = `
  create table kept (id int);
  create function busy(ms float8) returns int language plpgsql volatile as $$
    declare until timestamptz := clock_timestamp() + make_interval(secs => ms / 1000);
    begin
      while clock_timestamp() < until loop end loop;
      return ms;
    end $$;
  create function busy_row() returns trigger language plpgsql as $$
    begin perform busy(60000); return null; end $$;
`

let directory: string
let released: number
const open: PgliteDb[] = []
beforeEach(async () => {
  directory = await createTestDirectory()
  released = 0
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((db) => db.close()))
  rmSync(directory, { recursive: true, force: true })
})

async function start(options: Partial<PgliteDbOptions> = {}): Promise<PgliteDb> {
  const { db } = await PgliteDb.open({ directory, logger, onReleased: () => released++, ...options })
  open.push(db)
  return db
}

const kept = async (db: Queryable): Promise<number[]> =>
  (await db.query<{ id: number }>('select id from kept order by id')).rows.map(({ id }) => id)

describe('a PGlite that breaks', () => {
  it('rejects what is under way, does what stands behind, and keeps what was committed', async () => {
    const db = await start()
    await db.exec(BUSY)
    await db.query('insert into kept values (1)')
    const heard: string[] = []
    await db.listen('calls', (payload) => heard.push(payload))
    const transaction = db.transaction(async (tx) => {
      await tx.query('insert into kept values (2)')
      await tx.query(OVERFLOW)
    })
    const behind = Promise.all([3, 4, 5].map((id) => db.query('insert into kept values ($1)', [id])))
    expect(await code(transaction)).toBe('57P01')
    await behind
    await db.query("select pg_notify('calls', 'after')")
    expect(await kept(db)).toEqual([1, 3, 4, 5])
    expect(heard).toEqual(['after'])
    expect(released).toBe(0)
  })

  it(
    'comes back from one crash after another',
    async () => {
      const db = await start()
      const broken = [1, 2, 3].map(() => code(db.query(OVERFLOW)))
      expect(await Promise.all(broken)).toEqual(['57P01', '57P01', '57P01'])
      expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    },
    LONG,
  )

  it(
    'refuses everything while it cannot be opened, and goes on when it can again',
    async () => {
      const db = await start()
      await db.exec(BUSY)
      await db.query('insert into kept values (1)')
      const there = join(directory, 'pgdata', 'global')
      const gone = join(directory, 'pgdata', 'elsewhere')
      renameSync(there, gone)
      const broken = code(db.query(OVERFLOW))
      const behind = code(db.query('select 1'))
      expect([await broken, await behind]).toEqual(['57P01', '57P01'])
      expect(await code(db.query('select 1'))).toBe('57P01')
      expect(released).toBe(0)
      // PGlite may have begun to make it anew.
      rmSync(there, { recursive: true, force: true })
      renameSync(gone, there)
      await expect.poll(() => kept(db).catch(() => undefined), { timeout: 60_000 }).toEqual([1])
    },
    LONG,
  )

  it('is closed at once while it waits to be opened', async () => {
    const db = await start()
    rmSync(join(directory, 'pgdata', 'global'), { recursive: true })
    expect(await code(db.query(OVERFLOW))).toBe('57P01')
    expect(await code(db.query('select 1'))).toBe('57P01')
    await db.close()
    expect(released).toBe(1)
  })

  it('can be closed while it comes back', async () => {
    const db = await start()
    const broken = code(db.query(OVERFLOW))
    const behind = code(db.query('select 1'))
    expect(await broken).toBe('57P01')
    await db.close()
    expect(await behind).toBe('57P01')
    expect(released).toBe(1)
  })
})

describe('a PGlite that is closed', () => {
  it('cuts off a statement that outlasts the grace', async () => {
    const db = await start({ closeGraceMs: 50 })
    await db.exec(BUSY)
    const forever = code(db.query('select busy(60000)'))
    await db.close()
    expect(await forever).toBe('57P01')
  })
})

describe('the watchdog of PGlite', () => {
  it('ends a commit that takes too long', async () => {
    const db = await start()
    await db.exec(BUSY)
    await db.exec(`
      create constraint trigger slow after insert on kept
        deferrable initially deferred for each row execute function busy_row()
    `)
    const insert = 'insert into kept values (1)'
    const transaction = db.transaction((tx) => tx.query(insert), { patienceMs: 750 })
    expect(await code(transaction)).toBe('57014')
    expect(await kept(db)).toEqual([])
  })

  it('waits for a statement that says how long it takes', async () => {
    const db = await start({ patienceMs: 750 })
    await db.exec(BUSY)
    await db.query('insert into kept select busy(1500)', [], { patienceMs: Number.POSITIVE_INFINITY })
    expect(await kept(db)).toEqual([1500])
  })

  it(
    'says that the outcome is unknown when the commit may have been written',
    async () => {
      const db = await start({ patienceMs: 2_000 })
      await db.exec(BUSY)
      // What follows a commit stands for a commit whose answer is late.
      const late = db.exec('begin; insert into kept values (1); commit; select busy(60000)')
      expect([await code(late), await kept(db)]).toEqual(['57P01', [1]])
      const logged =
        "insert into kept values (2); select pg_logical_emit_message(false, 'heyline', 'here', true)"
      const inside = db.transaction((tx) => tx.exec(`${logged}; select busy(60000)`))
      expect([await code(inside), await kept(db)]).toEqual(['57014', [1]])
    },
    LONG,
  )

  it(
    'never says that a statement had no effect when it had one',
    async () => {
      const patienceMs = 200
      const db = await start({ patienceMs })
      const patiently = { patienceMs: Number.POSITIVE_INFINITY }
      await db.transaction((tx) => tx.exec(BUSY), patiently)
      const outcomes = new Map<number, string>()
      for (let id = 1; id <= 6; id++) {
        // Around the very moment at which patience ends, and the grace after it.
        const ms = patienceMs + (id % 3) * 60 - 60
        const insert = db.query('insert into kept select $1::int from (select busy($2)) as busy', [id, ms])
        outcomes.set(
          id,
          await insert.then(
            () => 'kept',
            (error) => error.code,
          ),
        )
      }
      expect([...outcomes.values()]).toContain('57014')
      const rows = await db.transaction((tx) => kept(tx), patiently)
      expect(rows).toEqual([...outcomes.keys()].filter((id) => outcomes.get(id) === 'kept'))
    },
    LONG,
  )
})
