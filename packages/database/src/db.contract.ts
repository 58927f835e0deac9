import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DatabaseError } from './database-error.js'
import type { Db } from './db.js'

/** What every `Db` does. `open` gives a new one on an empty database; `close` also frees what was made for it. */
export function describeDb(name: string, open: () => Promise<Db>): void {
  describe(name, () => {
    let db: Db
    beforeAll(async () => {
      db = await open()
    })
    afterAll(async () => {
      await db.close()
    })
    beforeEach(async () => {
      await db.exec(
        'drop table if exists note; create table note (id int primary key, text text, at timestamptz)',
      )
    })

    const value = async (sql: string, ...parameters: unknown[]): Promise<unknown> =>
      (await db.query<{ value: unknown }>(`select ${sql} as value`, parameters)).rows[0]?.value
    const notes = async (): Promise<unknown[]> =>
      (await db.query<{ id: number }>('select id from note order by id')).rows.map(({ id }) => id)
    const failure = async (promise: Promise<unknown>): Promise<DatabaseError> => {
      const error: unknown = await promise.then(
        () => undefined,
        (reason: unknown) => reason,
      )
      if (!(error instanceof DatabaseError)) throw new Error(`expected a DatabaseError, got ${String(error)}`)
      return error
    }
    const code = async (promise: Promise<unknown>): Promise<string> => (await failure(promise)).code

    describe('values', () => {
      it.each([
        ['true', true],
        ['false', false],
        ['null::int', null],
        ['1::int2', 1],
        ['-7::int4', -7],
        ['9007199254740991::int8', Number.MAX_SAFE_INTEGER],
        ['7::oid', 7],
        ['1.5::float4', 1.5],
        ["'NaN'::float8", Number.NaN],
        ["'-Infinity'::float8", Number.NEGATIVE_INFINITY],
        ['0.1::float8 + 0.2', 0.30000000000000004],
        ['12345678901234567890.12::numeric', '12345678901234567890.12'],
        [`'{"a": [1, null]}'::json`, { a: [1, null] }],
        [`'"x"'::jsonb`, 'x'],
        ["'null'::jsonb", null],
        ["'2024-02-29'::date", '2024-02-29'],
        ["'2024-02-29 12:30:45.678+02'::timestamptz", new Date('2024-02-29T10:30:45.678Z')],
        ["'0099-12-31 00:00:00Z'::timestamptz", new Date('0099-12-31T00:00:00Z')],
        ["'2024-02-29 12:30:45.1'::timestamp", new Date('2024-02-29T12:30:45.100Z')],
        ["'infinity'::timestamptz", new Date(Number.NaN)],
        ["'\\x00ff'::bytea", new Uint8Array([0, 255])],
        ["'{1,NULL,3}'::int[]", [1, null, 3]],
        ["'{{1,2},{3,4}}'::int[]", [[1, 2], [3, 4]]], // biome-ignore format: the shape shows
        ["'[5:6]={t,f}'::bool[]", [true, false]],
        [`array['a,b', 'c"d\\e', '', 'NULL', null]`, ['a,b', 'c"d\\e', '', 'NULL', null]],
        ['array[\'{"a":1}\'::jsonb]', [{ a: 1 }]],
        ["'{}'::text[]", []],
        ["'1 day 02:03:04'::interval", '1 day 02:03:04'],
        ["'ab'::char(3)", 'ab '],
        ["'49df1f8a-6b1e-4c0a-9b3a-0a8f3e1c2d4b'::uuid", '49df1f8a-6b1e-4c0a-9b3a-0a8f3e1c2d4b'],
        ["'🦷 Zähne'", '🦷 Zähne'],
      ])('reads %s', async (sql, expected) => {
        expect(await value(sql)).toEqual(expected)
      })

      it.each([
        ['$1', "it's", "it's"],
        ['$1::int + 1', 41, 42],
        ['$1::int + 1', '41', 42],
        ['$1::int8::text', 12345678901234567890n / 10n, '1234567890123456789'],
        ['$1::bool', false, false],
        ['$1::text', null, null],
        ['$1::text', undefined, null],
        ['$1::timestamptz', new Date('2024-02-29T10:30:45.678Z'), new Date('2024-02-29T10:30:45.678Z')],
        ['$1::timestamp', new Date('2024-02-29T10:30:45.678Z'), new Date('2024-02-29T10:30:45.678Z')],
        ['$1::bytea', new Uint8Array([0, 1, 255]), new Uint8Array([0, 1, 255])],
        ['$1::jsonb', { a: ['b'] }, { a: ['b'] }],
        ['$1::jsonb', [1, 2], [1, 2]],
        ['$1::int[]', '{1,2}', [1, 2]],
        ["2 = any ($1) and 'a' like $2", '{1,2}', true],
      ])('takes %s of %o', async (sql, parameter, expected) => {
        expect(await value(sql, parameter, ...(sql.includes('$2') ? ['a'] : []))).toEqual(expected)
      })

      it('takes a long text unchanged', async () => {
        const text = 'é'.repeat(1_000_000)
        expect(await value('$1::text', text)).toBe(text)
      })

      it('refuses what Postgres cannot hold', async () => {
        expect(await code(value('$1::text', 'a\0b'))).toBe('22021')
        expect(await code(value('$1::text', () => 1))).toBe('22P02')
        expect(await code(value('$1::timestamptz', new Date(Number.NaN)))).toBe('22P02')
        expect(await value('1')).toBe(1)
      })

      it('counts rows returned, else rows affected', async () => {
        const insert = 'insert into note select n from generate_series(1, 3) n'
        expect(await db.query(insert)).toEqual({ rows: [], rowCount: 3 })
        expect((await db.query('update note set text = $1 where id > 1 returning id', ['x'])).rowCount).toBe(
          2,
        )
        expect((await db.query('select from note')).rowCount).toBe(3)
        expect((await db.query('delete from note')).rowCount).toBe(3)
        expect((await db.query('create temporary table gone ()')).rowCount).toBe(0)
        await db.exec('drop table gone')
      })
    })

    describe('errors', () => {
      it('carry the code, the detail, the constraint and the cause', async () => {
        await db.query('insert into note values (1)')
        const error = await failure(db.query('insert into note values ($1)', [1]))
        expect(error).toMatchObject({
          code: '23505',
          detail: 'Key (id)=(1) already exists.',
          constraint: 'note_pkey',
        })
        expect(error.message).toBe('duplicate key value violates unique constraint "note_pkey"')
      })

      it('carry the hint', async () => {
        expect((await failure(db.query('select nothing_such()'))).hint).toMatch(/explicit type casts/)
      })

      it('refuse several statements in one query, and run them in exec, all or nothing', async () => {
        expect(await code(db.query('select 1; select 2'))).toBe('42601')
        expect(await code(db.exec('insert into note values (1); select 1/0'))).toBe('22012')
        expect(await notes()).toEqual([])
        await db.exec('insert into note values (1); insert into note values (2)')
        expect(await notes()).toEqual([1, 2])
      })
    })

    describe('transactions', () => {
      it('commit when run resolves', async () => {
        const given = await db.transaction(async (tx) => {
          await tx.query('insert into note values (1)')
          await tx.exec('insert into note values (2); insert into note values (3)')
          return 'done'
        })
        expect(given).toBe('done')
        expect(await notes()).toEqual([1, 2, 3])
      })

      it('roll back when run rejects, with its reason', async () => {
        const reason = new Error('no')
        const transaction = db.transaction(async (tx) => {
          await tx.query('insert into note values (1)')
          throw reason
        })
        await expect(transaction).rejects.toBe(reason)
        expect(await notes()).toEqual([])
      })

      it('roll back when a statement failed, even if run goes on', async () => {
        const transaction = db.transaction(async (tx) => {
          await tx.query('insert into note values (1)')
          await tx.query('select 1/0').catch(() => {})
        })
        expect(await code(transaction)).toBe('25P02')
        expect(await notes()).toEqual([])
      })

      it('reject when the commit itself fails', async () => {
        await db.exec(
          'drop table if exists child; create table child (id int references note deferrable initially deferred)',
        )
        expect(await code(db.transaction((tx) => tx.query('insert into child values (9)')))).toBe('23503')
        expect((await db.query('select from child')).rowCount).toBe(0)
        await db.exec('drop table child')
      })

      it('run what was not awaited before they commit', async () => {
        await db.transaction(async (tx) => {
          void tx.query('insert into note values (1)')
          void tx.query('insert into note values (2)')
        })
        expect(await notes()).toEqual([1, 2])
      })

      it('do not mix with what others do meanwhile', async () => {
        let outside: Promise<unknown> | undefined
        const transaction = db.transaction(async (tx) => {
          await tx.query('insert into note values (1)')
          outside = db.query('insert into note values (2)')
          await tx.query('insert into note values (3)')
          throw new Error('no')
        })
        await expect(transaction).rejects.toThrow('no')
        await outside
        expect(await notes()).toEqual([2])
      })

      it('keep session settings to themselves', async () => {
        await db.transaction((tx) => tx.query("select set_config('request.slug', 'a', true)"))
        expect(await value("coalesce(current_setting('request.slug', true), '')")).toBe('')
      })

      it('are of no use after their end', async () => {
        const tx = await db.transaction(async (open) => open)
        expect(await code(tx.query('insert into note values (1)'))).toBe('25P01')
        expect(await code(tx.exec('insert into note values (1)'))).toBe('25P01')
        expect(await notes()).toEqual([])
      })

      it('cannot be ended by a statement', async () => {
        const transaction = db.transaction(async (tx) => {
          const ended = tx.query('rollback')
          const late = tx.query('insert into note values (1)')
          expect(await code(ended)).toBe('2D000')
          expect(await code(late)).toBe('25P01')
        })
        expect(await code(transaction)).toBe('25P01')
        expect(await notes()).toEqual([])
      })

      it('cannot be left open by a statement', async () => {
        expect(await code(db.query('begin'))).toBe('25001')
        expect(await code(db.exec('begin; insert into note values (1)'))).toBe('25001')
        expect(await notes()).toEqual([])
      })

      it('wait for one another in great number', async () => {
        await db.query("insert into note values (1, '0')")
        const add = (): Promise<void> =>
          db.transaction(async (tx) => {
            await tx.query('select from note where id = 1 for update')
            await tx.query('update note set text = (text::int + 1)::text where id = 1')
          })
        await Promise.all(Array.from({ length: 50 }, add))
        expect((await db.query('select text from note')).rows).toEqual([{ text: '50' }])
      })
    })

    describe('notifications', () => {
      /** Collects what is heard and resolves when there are so many. */
      const ear = (): { heard: (payload: string) => void; until(count: number): Promise<string[]> } => {
        const payloads: string[] = []
        let wake = (): void => {}
        return {
          heard: (payload) => {
            payloads.push(payload)
            wake()
          },
          until: async (count) => {
            while (payloads.length < count) {
              await new Promise<void>((resolve) => {
                wake = resolve
              })
            }
            return payloads
          },
        }
      }

      it('are heard after the commit, by the exact name of the channel', async () => {
        const [quiet, loud] = [ear(), ear()]
        const off = await db.listen('calls', quiet.heard)
        const offLoud = await db.listen('Calls; --"', loud.heard)
        await db.transaction(async (tx) => {
          await tx.query("select pg_notify('Calls; --\"', $1)", ['one'])
          await tx.query('notify calls')
        })
        expect(await loud.until(1)).toEqual(['one'])
        expect(await quiet.until(1)).toEqual([''])
        await off()
        await offLoud()
      })

      it('are not sent by what is rolled back', async () => {
        const { heard, until } = ear()
        const off = await db.listen('calls', heard)
        const rolledBack = db.transaction(async (tx) => {
          await tx.query("select pg_notify('calls', 'never')")
          throw new Error('no')
        })
        await expect(rolledBack).rejects.toThrow('no')
        await db.query("select pg_notify('calls', 'real')")
        expect(await until(1)).toEqual(['real'])
        await off()
      })

      it('reach every listener until each says it is enough', async () => {
        const [first, second] = [ear(), ear()]
        const offFirst = await db.listen('calls', first.heard)
        const offSecond = await db.listen('calls', second.heard)
        await db.query("select pg_notify('calls', 'both')")
        await first.until(1)
        await second.until(1)
        await offFirst()
        await db.query("select pg_notify('calls', 'second')")
        expect(await second.until(2)).toEqual(['both', 'second'])
        expect(await first.until(1)).toEqual(['both'])
        await offSecond()
      })

      it('go on when a listener fails', async () => {
        const { heard, until } = ear()
        const offFailing = await db.listen('calls', () => {
          throw new Error('a bug of the listener')
        })
        const off = await db.listen('calls', heard)
        await db.query("select pg_notify('calls', 'on')")
        expect(await until(1)).toEqual(['on'])
        await offFailing()
        await off()
      })
    })

    describe('close', () => {
      it('settles a transaction that would not end, and refuses what comes after', async () => {
        const other = await open()
        let opened = (): void => {}
        const isOpen = new Promise<void>((resolve) => {
          opened = resolve
        })
        const stuck = other.transaction(async (tx) => {
          await tx.exec('create table unfinished ()')
          opened()
          await new Promise(() => {})
        })
        const settled = code(stuck)
        await isOpen
        const waiting = other.transaction(async () => 'done').catch((error: unknown) => error)
        await other.close()
        expect(await settled).toBe('57P01')
        // On PGlite it stood behind the stuck one; Postgres had a connection for it.
        expect(await waiting).toEqual(
          db.kind === 'pglite' ? expect.objectContaining({ code: '08003' }) : 'done',
        )
        await other.close()
        expect(await code(other.query('select 1'))).toBe('08003')
        expect(await code(other.exec('select 1'))).toBe('08003')
        expect(await code(other.transaction(async () => {}))).toBe('08003')
        expect(await code(other.listen('calls', () => {}))).toBe('08003')
      })
    })
  })
}
