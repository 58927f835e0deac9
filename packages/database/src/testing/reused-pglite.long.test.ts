import { afterEach, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { openTestDb } from './test-db.js'

const used: Db[] = []
const open = async () => {
  const db = await openTestDb()
  used.push(db)
  return db
}
afterEach(async () => {
  await Promise.all(used.splice(0).map((db) => db.close()))
})

/** By the process that Postgres says it is: a reused one answers what was kept in its session. */
const sessionOf = async (db: Db) =>
  (await db.query<{ name: string }>("select name from pg_prepared_statements where statement like '%once%'"))
    .rows.length

it('gives the next test its first rows, whatever the one before did to them', async () => {
  const first = await open()
  const before = await first.query('select * from public.visitors order by slug')
  await first.query('select 1 as once', [], { prepared: true })
  await first.query("insert into public.visitors (slug, name) values ('acme', 'Acme')")
  await first.query("update public.visitors set name = 'Nobody' where slug = 'default'")
  await first.query('delete from timeline.events')
  await first.close()
  const next = await open()
  expect(await sessionOf(next)).toBe(1)
  expect((await next.query('select * from public.visitors order by slug')).rows).toEqual(before.rows)
  expect((await next.query('select from timeline.events')).rowCount).toBeGreaterThan(0)
})

it.each([
  ['a table', 'create table public.more (id int)'],
  ['a function', 'create function public.more() returns int language sql as $$ select 1 $$'],
  ['a right', 'grant select on public.visitors to public'],
  ['a role', 'create role somebody'],
  ['a setting of the session', "set time zone 'Asia/Tokyo'"],
  ['a trigger', 'alter table public.visitors disable trigger all'],
])('makes another where a test has changed %s', async (_, sql) => {
  const first = await open()
  await first.query('select 1 as once', [], { prepared: true })
  await first.exec(sql)
  await first.close()
  expect(await sessionOf(await open())).toBe(0)
})

it('makes another where work is left, and refuses all once it is closed', async () => {
  const first = await open()
  await first.query('select 1 as once', [], { prepared: true })
  const left = first.query('select pg_sleep(0.05)')
  await first.close()
  await left
  await expect(first.query('select 1')).rejects.toMatchObject({ code: '08003' })
  expect(await sessionOf(await open())).toBe(0)
})

it('tells nobody any more of what the next test says', async () => {
  const heard: string[] = []
  const first = await open()
  await first.listen('news', (payload) => heard.push(payload))
  await first.close()
  const next = await open()
  await next.query("select pg_notify('news', 'late')")
  await next.query('select 1')
  expect(heard).toEqual([])
})
