import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from './db/db.js'
import { SQL_FOLDER } from './testing/test-directory.js'

/** The table of visitors and its Row Level Security, by SQL alone: the wire above only sets role and headers. `open` gives a migrated database. */
export function describeVisitors(name: string, open: () => Promise<Db>): void {
  describe(`the visitors over ${name}`, () => {
    let db: Db
    beforeAll(async () => {
      db = await open()
      await db.exec("insert into public.visitors (slug, name) values ('Acme', 'Acme'), ('a%', 'Percent')")
    })
    afterAll(() => db.close())

    const as = <T>(role: string, headers: string | null, sql: string): Promise<T[]> =>
      db.transaction(async (tx) => {
        await tx.query(`set local role ${role}`)
        if (headers !== null) await tx.query("select set_config('request.headers', $1, true)", [headers])
        return (await tx.query<T>(sql)).rows
      })
    const seen = async (role: string, headers: string | null): Promise<string[]> => {
      const rows = await as<{ slug: string }>(
        role,
        headers,
        'select slug from public.visitors order by slug collate "C"',
      )
      return rows.map(({ slug }) => slug)
    }

    it('begin with two that can be called', async () => {
      const { rows } = await db.query<{ slug: string; system: string; first_message: string }>(
        "select * from public.visitors where slug in ('default', 'riverside-dental') order by slug",
      )
      expect(rows).toMatchObject([
        { slug: 'default', name: 'there', listed: true },
        { slug: 'riverside-dental', name: 'Riverside Dental', listed: false },
      ])
      for (const { system, first_message } of rows) {
        expect(system.split('. ').length).toBeGreaterThan(5)
        expect(first_message.length).toBeGreaterThan(10)
      }
    })

    it.each([
      null,
      '',
      'not json',
      '[]',
      '"text"',
      '7',
      '{}',
      '{"x-visitor-slug":null}',
      '{"x-visitor-slug":""}',
      '{"x-visitor-slug":"\\u0000"}',
    ])('show only the listed ones to a request whose headers are %j', async (headers) => {
      expect(await seen('anon', headers)).toEqual(['default'])
      expect(await seen('authenticated', headers)).toEqual(['default'])
    })

    it('show the one that is named, whatever its case, and no more', async () => {
      expect(await seen('anon', '{"x-visitor-slug":"aCME"}')).toEqual(['Acme', 'default'])
      expect(await seen('anon', '{"x-visitor-slug":"a%"}')).toEqual(['a%', 'default'])
      expect(await seen('anon', '{"x-visitor-slug":"%"}')).toEqual(['default'])
      expect(await seen('service_role', null)).toEqual(['Acme', 'a%', 'default', 'riverside-dental'])
    })

    it('show the one that is named percent-encoded, of any script', async () => {
      const slugs = ['münchen', 'a b', '%41', '50% off', '東京', '-', "o'k"]
      await db.query(
        'insert into public.visitors (slug, name) select slug, slug from json_array_elements_text($1::json) slug',
        [slugs],
      )
      const headers = (slug: string) => JSON.stringify({ 'x-visitor-slug': slug })
      try {
        for (const slug of slugs)
          expect(await seen('anon', headers(encodeURIComponent(slug))), slug).toEqual(
            [slug, 'default'].sort(),
          )
        // What is no encoding stands for itself, as clients sent every slug before.
        for (const slug of ['a b', '50% off', '-', "o'k", 'Acme'])
          expect(await seen('anon', headers(slug)), slug).toEqual([slug, 'default'].sort())
        expect(await seen('anon', headers('M%C3%BCnchen'))).toEqual(['default', 'münchen'])
        for (const slug of ['%', '%zz', 'm%FCnchen', '%C3', '%00', '%ED%A0%80', '%2541', '%25'])
          expect(await seen('anon', headers(slug)), slug).toEqual(
            slug === '%2541' ? ['%41', 'default'] : ['default'],
          )
      } finally {
        await db.query(
          'delete from public.visitors where slug in (select json_array_elements_text($1::json))',
          [slugs],
        )
      }
    })

    it('keep the names that they had before this was a rule', async () => {
      const rule = readFileSync(join(SQL_FOLDER, 'migrations/20261122000900_slugs_and_names.sql'), 'utf8')
      await db.exec('alter table public.visitors drop constraint visitors_name_in_one_line')
      await db.query("insert into public.visitors (slug, name) values ('older', $1)", ['two\nlines'])
      await db.exec(rule)
      const { rows } = await db.query("select name from public.visitors where slug = 'older'")
      expect(rows).toEqual([{ name: 'two\nlines' }])
      await db.query("delete from public.visitors where slug = 'older'")
    })

    it.each([
      'a\nb',
      '\tTab',
      'bell\u0007',
      'del\u007f',
      'c1\u0085',
      'line\u2028',
      'over\u202e',
      'isolate\u2066',
    ])('refuse the name %j', async (name) => {
      const refusal = { code: '23514', constraint: 'visitors_name_in_one_line' }
      await expect(
        db.query("insert into public.visitors (slug, name) values ('x', $1)", [name]),
      ).rejects.toMatchObject(refusal)
      await expect(
        db.query("update public.visitors set name = $1 where slug = 'Acme'", [name]),
      ).rejects.toMatchObject(refusal)
    })

    it.each(['Zahnärzte am Fluß', 'مطعم \u200fالنخيل', 'می\u200cخواهم', '👩\u200d🔬 Lab', "O'Neill & Söhne"])(
      'take the name %j',
      async (name) => {
        await db.query("update public.visitors set name = $1 where slug = 'Acme'", [name])
      },
    )

    it.each([
      'select slug, name from public.visitors',
      "select * from public.visitors where slug = 'Acme'",
      "select * from public.visitors where slug ilike 'acme'",
    ])('are found without going through all of them: %s', async (sql) => {
      const undone = new Error('nothing of this stays')
      let plan = ''
      const looked = db.transaction(async (tx) => {
        await tx.exec(`insert into public.visitors (slug, name) select 'many-' || n, 'Many' from generate_series(1, 5000) n;
          analyze public.visitors; set local role anon`)
        const { rows } = await tx.query<Record<string, string>>(`explain ${sql}`)
        plan = rows.flatMap((row) => Object.values(row)).join('\n')
        throw undone
      })
      await expect(looked).rejects.toBe(undone)
      expect(plan).toMatch(/Index Cond: \(\(?lower\(slug\) =/)
      expect(plan).not.toMatch(/Seq Scan on visitors|visitors_by/)
    })

    it.each(['anon', 'authenticated'])('cannot be changed by %s', async (role) => {
      for (const sql of [
        "insert into public.visitors (slug, name) values ('x', 'x')",
        "update public.visitors set name = 'x'",
        'delete from public.visitors',
        'truncate public.visitors',
        'create table public.x ()',
        'select from supabase_migrations.schema_migrations',
      ]) {
        await expect(as(role, null, sql)).rejects.toMatchObject({ code: '42501' })
      }
    })

    it.each(['', 'a/b', 'a\nb', 'a\u007Fb'])('refuse the slug %j', async (slug) => {
      await expect(
        db.query("insert into public.visitors (slug, name) values ($1, 'x')", [slug]),
      ).rejects.toMatchObject({
        code: '23514',
      })
    })

    it('refuse a slug that differs in case only', async () => {
      await expect(
        db.query("insert into public.visitors (slug, name) values ('aCmE', 'x')"),
      ).rejects.toMatchObject({ code: '23505', constraint: 'visitors_slug' })
    })
  })
}
