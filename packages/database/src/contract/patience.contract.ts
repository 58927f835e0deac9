import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db, Queryable } from '../db/db.js'
import { code, failure } from './failure.contract.js'

/** Long enough for whatever else the tests do, also where a machine is busy. */
const PATIENCE_MS = 750

/** What a `Db` does with whoever takes too long. */
export function describePatience(open: (options: { patienceMs: number }) => Promise<Db>): void {
  describe('patience', () => {
    let db: Db
    beforeAll(async () => {
      db = await open({ patienceMs: PATIENCE_MS })
      await patiently((tx) =>
        tx.exec(`
        create table if not exists kept (id int);
        create or replace function busy(ms int) returns int language plpgsql volatile as $$
          declare until timestamptz := clock_timestamp() + make_interval(secs => ms / 1000.0);
          begin
            while clock_timestamp() < until loop end loop;
            return ms;
          end $$;
      `),
      )
    })
    afterAll(async () => {
      await db.close()
    })
    beforeEach(() => db.exec('delete from kept'))

    const patiently = <T>(run: (tx: Queryable) => Promise<T>): Promise<T> =>
      db.transaction(run, { patienceMs: Number.POSITIVE_INFINITY })
    const kept = async (): Promise<number[]> =>
      (await db.query<{ id: number }>('select id from kept order by id')).rows.map(({ id }) => id)
    const insert = (id: number): Promise<unknown> => db.query('insert into kept values ($1)', [id])

    it('ends a statement that takes too long, without any effect', async () => {
      const slow = await failure(db.query('insert into kept select busy(60000)'))
      expect(slow).toMatchObject({ code: '57014', message: 'canceling statement due to statement timeout' })
      expect(await code(db.exec('insert into kept values (1); select busy(60000)'))).toBe('57014')
      expect(await kept()).toEqual([])
    })

    it('ends it again and again', async () => {
      for (const id of [1, 2, 3]) {
        expect(await code(db.query('select busy(60000)'))).toBe('57014')
        await insert(id)
      }
      expect(await kept()).toEqual([1, 2, 3])
    })

    it('does what was asked for behind it, once', async () => {
      const slow = code(db.query('select busy(60000)'))
      const ids = Array.from({ length: 30 }, (_, index) => index)
      const behind = ids.map((id) =>
        id % 3 > 0
          ? insert(id)
          : db.transaction(async (tx) => {
              await tx.query('insert into kept values ($1)', [id])
              await tx.query('select from kept')
            }),
      )
      await Promise.all(behind)
      expect(await slow).toBe('57014')
      expect(await kept()).toEqual(ids)
    })

    it('rolls back the transaction that it belongs to, which goes on as after any error', async () => {
      const codes: string[] = []
      const transaction = db.transaction(async (tx) => {
        await tx.query('insert into kept values (1)')
        const slow = code(tx.query('select busy(60000)'))
        const next = code(tx.query('insert into kept values (2)'))
        codes.push(await slow, await next, await code(tx.query('insert into kept values (3)')))
        codes.push(await code(tx.exec('insert into kept values (4)')))
      })
      const behind = insert(5)
      expect(await code(transaction)).toBe('25P02')
      expect(codes).toEqual(['57014', '25P02', '25P02', '25P02'])
      await behind
      expect(await kept()).toEqual([5])
    })

    it('passes the reason on when the transaction does not catch it', async () => {
      const transaction = db.transaction(async (tx) => {
        await tx.query('insert into kept values (1)')
        await tx.query('select busy(60000)')
      })
      expect(await code(transaction)).toBe('57014')
      expect(await kept()).toEqual([])
    })

    it('keeps on hearing notifications', async () => {
      let off = async (): Promise<void> => {}
      const heard = new Promise<string>((resolve, reject) => {
        db.listen('calls', resolve).then(async (stop) => {
          off = stop
          expect(await code(db.query('select busy(60000)'))).toBe('57014')
          await db.query("select pg_notify('calls', 'after')")
        }, reject)
      })
      expect(await heard).toBe('after')
      await off()
    })

    it('waits for a transaction that says how long it takes, and for none beside it', async () => {
      await patiently(async (tx) => {
        await tx.query('insert into kept select busy($1)', [2 * PATIENCE_MS])
        await new Promise((resolve) => setTimeout(resolve, 2.5 * PATIENCE_MS))
        await tx.exec('insert into kept values (1)')
      })
      expect(await kept()).toEqual([1, 2 * PATIENCE_MS])
      const less = db.transaction((tx) => tx.query('select busy(60000)'), { patienceMs: PATIENCE_MS / 3 })
      expect(await code(less)).toBe('57014')
      expect(await code(db.query('select busy(60000)'))).toBe('57014')
    })

    it('ends a transaction that idles', async () => {
      let late: Promise<string> | undefined
      const idle = db.transaction(async (tx) => {
        await tx.query('insert into kept values (1)')
        await new Promise((resolve) => setTimeout(resolve, 2 * PATIENCE_MS))
        late = code(tx.query('insert into kept values (2)'))
      })
      const behind = insert(3)
      expect(await failure(idle)).toMatchObject({ code: '25P03', message: expect.stringContaining('idled') })
      await behind
      await expect.poll(() => late).toBeDefined()
      expect(await late).toBe('25P03')
      expect(await kept()).toEqual([3])
    })

    it('ends one that idles longer than it may, however long it may work', async () => {
      let late: Promise<string> | undefined
      const idle = db.transaction(
        async (tx) => {
          await tx.query('insert into kept select busy($1)', [2 * PATIENCE_MS])
          await new Promise((resolve) => setTimeout(resolve, 2 * PATIENCE_MS))
          late = code(tx.query('insert into kept values (2)'))
        },
        { patienceMs: Number.POSITIVE_INFINITY, idleMs: PATIENCE_MS },
      )
      expect(await code(idle)).toBe('25P03')
      await expect.poll(() => late).toBeDefined()
      expect(await late).toBe('25P03')
      expect(await kept()).toEqual([])
    })
  })
}
