import { openTestDb } from '@heyline/database/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KEYS, type RunningBackend, runBackend } from '../testing/running-backend.js'

let backend: RunningBackend
beforeAll(async () => {
  backend = await runBackend({}, { open: () => openTestDb({ isNew: true }) })
})
afterAll(() => backend.close())

const read = async (query: string, method = 'GET') => {
  const url = `${backend.url}/rest/v1/visitors?${query}`
  return (await fetch(url, { method, headers: { apikey: KEYS.publishable } })).status
}
/** What the session keeps of reads, in the order that it was prepared. PGlite has one session. */
const kept = async (): Promise<string[]> => {
  const { rows } = await backend.db.query<{ statement: string }>(
    "select statement from pg_prepared_statements where statement not in ('begin', 'commit') order by prepare_time",
  )
  return rows.map(({ statement }) => statement)
}

it('keeps the page’s lookups prepared, whatever anybody asked before', async () => {
  for (let n = 0; n < 60; n += 1) expect(await read(`select=a${n}:slug&slug=eq.default`)).toBe(200)
  for (const odd of [
    'select=*&slug=not.eq.default',
    'select=*&slug=eq(any).{default}',
    'select=*&slug=eq.default&name=eq.there',
    'select=*&name=eq.there',
    'select=*&slug=neq.default',
    'select=*&or=(slug.eq.default)',
    'select=*&slug=eq.default&order=name',
    'select=*,name&slug=eq.default',
    'select=*&slug=ilike.d*',
    'select=*&slug=ilike.defaul_',
  ])
    expect(await read(odd)).toBe(200)
  expect(await read('select=*&slug=eq.default', 'HEAD')).toBe(200)
  expect(await kept()).toEqual([expect.stringContaining('set_config')])

  for (const selection of ['a:slug,name', 'slug,name::text', 'slug->>0,name', 'name,slug'])
    expect(await read(`select=${selection}&slug=eq.default`)).toBe(200)
  expect(await kept()).toHaveLength(1)

  for (let n = 0; n < 2; n += 1)
    for (const selection of ['*', 'slug,name'])
      for (const operator of ['eq', 'ilike'])
        expect(await read(`select=${selection}&slug=${operator}.default`)).toBe(200)
  expect(await kept()).toEqual([
    expect.stringContaining('set_config'),
    expect.stringContaining('"visitors"."slug" = '),
    expect.stringContaining('lower(slug) = lower('),
    expect.stringMatching(/"visitors"."slug".* (ilike|~~\*) /i),
    expect.stringContaining('"visitors"."slug" as "slug", "visitors"."name" as "name"'),
    expect.stringMatching(/as "name" from .*"visitors"."slug".* (ilike|~~\*) /i),
  ])
})
