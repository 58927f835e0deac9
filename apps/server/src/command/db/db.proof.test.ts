import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, it, vi } from 'vitest'
import { readSettings } from '../../settings/settings.js'
import { startHeyline } from '../../start/heyline.js'
import { runHeyline, testDirectory } from '../../testing/heyline-command.js'
import { splitStatements } from './sql-statements.js'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const { path: directory, remove } = testDirectory()
afterAll(remove)
const data = join(directory, 'data')
const file = join(directory, 'backup.tar.gz')

const NOT_SET =
  /A backup is sealed with HEYLINE_SECRET, which is not set: heyline secret makes one .* With --plain whoever has the file can read it\n$/

const heyline = (words: string[], environment = {}, input?: string) =>
  runHeyline(words, { DATA_DIR: data, ...environment }, input)
const slugs = async () =>
  JSON.parse((await heyline(['db', 'sql', '--json', 'select slug from visitors order by 1'])).out).rows

it('has no database to work on before the first start, and makes none', async () => {
  for (const words of [
    ['db', 'backup', file, '--plain'],
    ['db', 'sql', 'select 1'],
  ]) {
    const refused = await heyline(words)
    expect(refused).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^heyline: There is no database in/),
    })
  }
  expect(readdirSync(directory)).toEqual([])
})

it('backs up while a server runs, and restores when none does', async () => {
  const server = await startHeyline({
    settings: readSettings({ PORT: '0', DATA_DIR: data }),
    logger: pino({ level: 'silent' }),
  })
  try {
    for (const refused of [
      await heyline(['db', 'backup', file]),
      await heyline(['db', 'backup', file], { PORT: '0' }),
    ])
      expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(NOT_SET)])
    expect(await heyline(['db', 'backup', file, '--plain'])).toMatchObject({ code: 0, err: '' })
    for (const words of [
      ['db', 'restore', file, '--yes'],
      ['db', 'sql', 'select 1'],
    ]) {
      const refused = await heyline([...words, '--json'])
      expect([refused.code, JSON.parse(refused.err).error]).toEqual([
        1,
        { code: 'server_running', message: expect.stringMatching(/^A server runs on .*: stop it first$/) },
      ])
    }
  } finally {
    await server.close()
  }
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(directory).sort()).toEqual(['backup.tar.gz', 'data'])

  await heyline(['visitors', 'add', 'later', '--name', 'Later'])
  expect(await slugs()).toHaveLength(3)
  expect((await heyline(['db', 'restore', file])).err).toMatch(
    /holds a database, which the backup replaces: say so with --yes\n$/,
  )
  expect(await slugs()).toHaveLength(3)
  expect(await heyline(['db', 'restore', file, '--yes'])).toMatchObject({ code: 0, err: '' })
  expect(await slugs()).toEqual([{ slug: 'default' }, { slug: 'riverside-dental' }])
})

it('backs up when no server runs, and keeps the older file where it can not', async () => {
  const other = join(directory, 'other.tar.gz')
  writeFileSync(other, 'older')
  const refused = await heyline(['db', 'backup', other])
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(NOT_SET)])
  expect(readFileSync(other, 'utf8')).toBe('older')
  expect(await heyline(['db', 'backup', other, '--plain', '--json'])).toMatchObject({
    code: 0,
    out: `${JSON.stringify({ file: other, sealed: false })}\n`,
  })
  expect(statSync(other).size).toBeGreaterThan(100_000)
  expect((await heyline(['db', 'backup', join(directory, 'none', 'x'), '--plain'])).code).toBe(1)
})

it('refuses a file that is no backup, and leaves the database as it is', async () => {
  const wrong = join(directory, 'wrong')
  writeFileSync(wrong, 'not a backup')
  expect((await heyline(['db', 'restore', wrong, '--yes'])).err).toMatch(/^heyline: .*is not a backup/)
  expect((await heyline(['db', 'restore', join(directory, 'nowhere'), '--yes'])).err).toMatch(
    /is not there: name a backup/,
  )
  expect(await slugs()).toHaveLength(2)
})

it('runs the statements of standard input one after another, up to the first that fails', async () => {
  const input =
    "create table public.t (a int, b text);\ninsert into t\nvalues (1, 'x;y'), (2, null);\nselect * from t\n; vacuum t; select 'end'"
  expect(await heyline(['db', 'sql'], {}, input)).toEqual({
    code: 0,
    err: '',
    out: '(0 rows)\n(2 rows)\na  b\n-  ----\n1  x;y\n2  null\n(2 rows)\n(0 rows)\n?column?\n--------\nend\n(1 row)\n',
  })
  const steering = await heyline(['db', 'sql', String.raw`select E'a\x1B[2J\n' as text`])
  expect(steering.out).toContain(String.raw`a\x1B[2J\n`)
  const failed = await heyline(['db', 'sql', '--json'], {}, 'select 1 as one; select nothing; select 2;')
  expect([failed.code, failed.out]).toEqual([1, '{"rows":[{"one":1}],"rowCount":1}\n'])
  expect(JSON.parse(failed.err).error).toMatchObject({
    code: '42703',
    message: expect.stringMatching(/nothing/),
  })
})

it('runs nothing of an input with transactions of its own', async () => {
  const input = 'delete from visitors; begin; rollback;'
  for (const refused of [await heyline(['db', 'sql'], {}, input), await heyline(['db', 'sql', input])]) {
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(/^heyline: "begin" can't be used here, .*each statement commits by itself/)
  }
  expect(await slugs()).toHaveLength(2)
})

it('says so in its help', async () => {
  expect((await heyline(['db', 'sql', '--help'])).out).toMatch(/Each statement commits by itself/)
})

it('says what runs SQL on a Postgres', async () => {
  const postgres = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' }
  const { code, err } = await heyline(['db', 'sql', 'x'], postgres)
  expect([code, err]).toEqual([1, 'heyline: DATABASE_URL is set: psql does this for a Postgres\n'])
})

it.each([
  ['select 1; select 2', ['select 1'], ' select 2'],
  ["select ';'; x", ["select ';'"], ' x'],
  ["select 'it''s;';", ["select 'it''s;'"], ''],
  ['select ";";', ['select ";"'], ''],
  ['do $$ begin; end $$; do $a$ ;$$; $a$;', ['do $$ begin; end $$', ' do $a$ ;$$; $a$'], ''],
  ['-- no; \nselect 1; /* ; */', ['-- no; \nselect 1'], ' /* ; */'],
  ["select 'open; select 1;", [], "select 'open; select 1;"],
  ["select E'it\\'s; select 42', e'\\\\';x", ["select E'it\\'s; select 42', e'\\\\'"], 'x'],
  ["select E'open\\'; x;", [], "select E'open\\'; x;"],
  ["select date'a\\'; x", ["select date'a\\'"], ' x'],
  ['/* a /* b; */ c; */ x; y', ['/* a /* b; */ c; */ x'], ' y'],
  ['/* a /* b */ ; x;', [], '/* a /* b */ ; x;'],
  ['select $ä$;$ä$, a$b$; x', ['select $ä$;$ä$, a$b$'], ' x'],
  ['select $a$; open;', [], 'select $a$; open;'],
])('splits statements: %s', (text, statements, rest) => {
  expect(splitStatements(text)).toEqual({ statements, rest })
})

it('leaves the keys as they are', () => {
  expect(Object.keys(JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8')))).toContain('secret')
})
