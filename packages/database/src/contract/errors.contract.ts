import { describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { code, failure } from './failure.contract.js'

/** What a failed statement says. The table `note` is empty before each test. */
export function describeErrors(db: () => Db): void {
  const notes = async (): Promise<unknown[]> =>
    (await db().query<{ id: number }>('select id from note order by id')).rows.map(({ id }) => id)

  describe('errors', () => {
    it('carry the code, the detail, the constraint and the cause', async () => {
      await db().query('insert into note values (1)')
      const error = await failure(db().query('insert into note values ($1)', [1]))
      expect(error).toMatchObject({
        code: '23505',
        detail: 'Key (id)=(1) already exists.',
        constraint: 'note_pkey',
      })
      expect(error.message).toBe('duplicate key value violates unique constraint "note_pkey"')
    })

    it('carry the hint', async () => {
      expect((await failure(db().query('select nothing_such()'))).hint).toMatch(/explicit type casts/)
    })

    it('refuse several statements in one query, and run them in exec, all or nothing', async () => {
      expect(await code(db().query('select 1; select 2'))).toBe('42601')
      expect(await code(db().exec('insert into note values (1); select 1/0'))).toBe('22012')
      expect(await notes()).toEqual([])
      await db().exec('insert into note values (1); insert into note values (2)')
      expect(await notes()).toEqual([1, 2])
    })
  })
}
