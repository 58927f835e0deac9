import { describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { code } from './failure.contract.js'

const PREPARED = { prepared: true }
const INSERT = 'insert into note (id, text) values ($1, $2) returning id, text, at'
const COUNT = 'select count(*) as found from note where text = $1'

/** Statements that are kept prepared behave as any other. The table `note` is empty before each test. */
export function describePrepared(db: () => Db): void {
  const insert = (id: unknown, text: unknown) => db().query(INSERT, [id, text], PREPARED)
  const count = async (text: string) => (await db().query(COUNT, [text], PREPARED)).rows

  describe('prepared', () => {
    it('takes other parameters at every run', async () => {
      expect((await insert(1, 'a')).rows).toEqual([{ id: 1, text: 'a', at: null }])
      expect((await insert(2, null)).rows).toEqual([{ id: 2, text: null, at: null }])
      expect(await count('a')).toEqual([{ found: 1 }])
      expect(await count('b')).toEqual([{ found: 0 }])
    })

    it('says how many rows it changed', async () => {
      for (const id of [1, 2]) await insert(id, 'a')
      const gone = await db().query('delete from note where text = $1', ['a'], PREPARED)
      expect(gone).toEqual({ rows: [], rowCount: 2 })
    })

    it('rolls its transaction back when it fails, and runs again', async () => {
      const twice = db().transaction(async (tx) => {
        await tx.query(INSERT, [1, 'a'], PREPARED)
        await tx.query(INSERT, [1, 'b'], PREPARED)
      })
      expect(await code(twice)).toBe('23505')
      expect(await count('a')).toEqual([{ found: 0 }])
      expect((await insert(1, 'c')).rows).toHaveLength(1)
    })

    it('is refused at once, again and again, where it is wrong', async () => {
      const wrong = () => db().query('select wrong from note', [], PREPARED)
      expect([await code(wrong()), await code(wrong())]).toEqual(['42703', '42703'])
    })

    it('follows its table', async () => {
      await insert(1, 'a')
      expect(await count('a')).toEqual([{ found: 1 }])
      await db().exec('drop table note; create table note (at timestamptz, text text, id int)')
      expect(await count('a')).toEqual([{ found: 0 }])
    })

    it('sees what each role may see', async () => {
      await db().exec(`
        do $$ begin create role prepared_reader; exception when duplicate_object then null; end $$;
        grant select on note to prepared_reader;
        alter table note enable row level security;
        create policy only_a on note to prepared_reader using (text = 'a')`)
      for (const [id, text] of [
        [1, 'a'],
        [2, 'b'],
      ])
        await insert(id, text)
      const seen = (role: string | undefined) =>
        db().transaction(async (tx) => {
          if (role) await tx.exec(`set local role ${role}`)
          const { rows } = await tx.query<{ id: number }>('select id from note order by id', [], PREPARED)
          return rows.map(({ id }) => id)
        })
      const found = []
      for (const role of [undefined, 'prepared_reader', undefined, 'prepared_reader'])
        found.push(await seen(role))
      expect(found).toEqual([[1, 2], [1], [1, 2], [1]])
      await db().exec('drop table note; drop role prepared_reader; create table note ()')
    })

    it('is any number of statements', async () => {
      for (let round = 0; round < 2; round += 1)
        for (let one = 0; one < 60; one += 1)
          expect((await db().query(`select ${one} as one`, [], PREPARED)).rows).toEqual([{ one }])
    })
  })
}
