import { describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { code } from './failure.contract.js'

/** What a transaction keeps together. The table `note` is empty before each test. */
export function describeTransactions(db: () => Db): void {
  const notes = async (): Promise<unknown[]> =>
    (await db().query<{ id: number }>('select id from note order by id')).rows.map(({ id }) => id)
  const value = async (sql: string, ...parameters: unknown[]): Promise<unknown> =>
    (await db().query<{ value: unknown }>(`select ${sql} as value`, parameters)).rows[0]?.value

  describe('transactions', () => {
    it('commit when run resolves', async () => {
      const given = await db().transaction(async (tx) => {
        await tx.query('insert into note values (1)')
        await tx.exec('insert into note values (2); insert into note values (3)')
        return 'done'
      })
      expect(given).toBe('done')
      expect(await notes()).toEqual([1, 2, 3])
    })

    it('roll back when run rejects, with its reason', async () => {
      const reason = new Error('no')
      const transaction = db().transaction(async (tx) => {
        await tx.query('insert into note values (1)')
        throw reason
      })
      await expect(transaction).rejects.toBe(reason)
      expect(await notes()).toEqual([])
    })

    it('roll back when a statement failed, even if run goes on', async () => {
      const transaction = db().transaction(async (tx) => {
        await tx.query('insert into note values (1)')
        await tx.query('select 1/0').catch(() => {})
      })
      expect(await code(transaction)).toBe('25P02')
      expect(await notes()).toEqual([])
    })

    it('reject when the commit itself fails', async () => {
      await db().exec(
        'drop table if exists child; create table child (id int references note deferrable initially deferred)',
      )
      expect(await code(db().transaction((tx) => tx.query('insert into child values (9)')))).toBe('23503')
      expect((await db().query('select from child')).rowCount).toBe(0)
      await db().exec('drop table child')
    })

    it('run what was not awaited before they commit', async () => {
      await db().transaction(async (tx) => {
        void tx.query('insert into note values (1)')
        void tx.query('insert into note values (2)')
      })
      expect(await notes()).toEqual([1, 2])
    })

    it('do not mix with what others do meanwhile', async () => {
      let outside: Promise<unknown> | undefined
      const transaction = db().transaction(async (tx) => {
        await tx.query('insert into note values (1)')
        outside = db().query('insert into note values (2)')
        await tx.query('insert into note values (3)')
        throw new Error('no')
      })
      await expect(transaction).rejects.toThrow('no')
      await outside
      expect(await notes()).toEqual([2])
    })

    it('keep session settings to themselves', async () => {
      await db().transaction((tx) => tx.query("select set_config('request.slug', 'a', true)"))
      expect(await value("coalesce(current_setting('request.slug', true), '')")).toBe('')
    })

    it('are of no use after their end', async () => {
      const tx = await db().transaction(async (open) => open)
      expect(await code(tx.query('insert into note values (1)'))).toBe('25P01')
      expect(await code(tx.exec('insert into note values (1)'))).toBe('25P01')
      expect(await notes()).toEqual([])
    })

    it('cannot be ended by a statement', async () => {
      const transaction = db().transaction(async (tx) => {
        const ended = tx.query('rollback')
        const late = tx.query('insert into note values (1)')
        expect(await code(ended)).toBe('2D000')
        expect(await code(late)).toBe('25P01')
      })
      expect(await code(transaction)).toBe('25P01')
      expect(await notes()).toEqual([])
    })

    it('cannot be left open by a statement', async () => {
      expect(await code(db().query('begin'))).toBe('25001')
      expect(await code(db().exec('begin; insert into note values (1)'))).toBe('25001')
      expect(await notes()).toEqual([])
    })

    it('wait for one another in great number', async () => {
      await db().query("insert into note values (1, '0')")
      const add = (): Promise<void> =>
        db().transaction(async (tx) => {
          await tx.query('select from note where id = 1 for update')
          await tx.query('update note set text = (text::int + 1)::text where id = 1')
        })
      await Promise.all(Array.from({ length: 50 }, add))
      expect((await db().query('select text from note')).rows).toEqual([{ text: '50' }])
    })
  })
}
