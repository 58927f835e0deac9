import { describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { code } from './failure.contract.js'

/** How parameters go in and values come out. The table `note` is empty before each test. */
export function describeValues(db: () => Db): void {
  const value = async (sql: string, ...parameters: unknown[]): Promise<unknown> =>
    (await db().query<{ value: unknown }>(`select ${sql} as value`, parameters)).rows[0]?.value

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

    it('gives a column of any name as a field of its own', async () => {
      const { rows } = await db().query('select 1 as "__proto__", 2 as "constructor"')
      expect(rows.map((row) => Object.entries(row))).toEqual([
        [
          ['__proto__', 1],
          ['constructor', 2],
        ],
      ])
    })

    it('counts rows returned, else rows affected', async () => {
      const insert = 'insert into note select n from generate_series(1, 3) n'
      expect(await db().query(insert)).toEqual({ rows: [], rowCount: 3 })
      expect((await db().query('update note set text = $1 where id > 1 returning id', ['x'])).rowCount).toBe(
        2,
      )
      expect((await db().query('select from note')).rowCount).toBe(3)
      expect((await db().query('delete from note')).rowCount).toBe(3)
      expect((await db().query('create temporary table gone ()')).rowCount).toBe(0)
      await db().exec('drop table gone')
    })
  })
}
