import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { VisitorQuery } from './visitor-query.js'
import { createVisitorSearch } from './visitor-search.js'

describe.each(DATABASES)('a search of visitors on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open({ patienceMs: 60_000 })
    await db.exec(`delete from public.visitors;
      insert into public.visitors (slug, name, system, listed, created_at)
      select 'v-' || lpad(i::text, 5, '0'), 'Name ' || lpad((99999 - i)::text, 5, '0'),
        case when i % 2 = 0 then 'Be kind.' end, i % 10 = 0, timestamptz '2026-01-01' + i * interval '1 minute'
      from generate_series(1, 12000) i;
      insert into public.visitors (slug, name, system) values
        ('cafe', 'Café ÉCOLE', null), ('per%cent', '100 %', null), ('under_score', 'a\\b', null), ('Straße', 'ΣΊΣΥΦΟΣ', null);`)
  })
  afterAll(() => db.close())

  const search = (query: Partial<VisitorQuery> = {}) =>
    createVisitorSearch(db)({ sort: 'slug', isDescending: false, offset: 0, limit: 3, ...query })
  const slugs = async (query: Partial<VisitorQuery>) => (await search(query)).visitors.map(({ slug }) => slug)

  it('shows a page by slug, with what the list needs and no prompt', async () => {
    const found = await search({ offset: 4 })
    expect(found).toMatchObject({ total: 12_004, isMore: false })
    expect(found.visitors[0]).toEqual({
      slug: 'v-00001',
      name: 'Name 99998',
      hasPrompt: false,
      listed: false,
      createdAt: new Date('2026-01-01T00:01:00Z'),
    })
  })

  it('finds parts of slugs and names in any case, in any script', async () => {
    for (const text of ['CAF', 'café', 'CAFÉ É', 'école'])
      expect(await slugs({ text }), text).toEqual(['cafe'])
    expect(await slugs({ text: 'σίσυφος'.slice(0, 4) })).toEqual(['Straße'])
    expect(await slugs({ text: 'STRA' })).toEqual(['Straße'])
    expect(await slugs({ text: 'cafeCaf' })).toEqual([])
  })

  it.each([
    ['%', ['per%cent']],
    ['_', ['under_score']],
    ['\\', ['under_score']],
    ["' or true --", []],
    ['$1', []],
  ])('takes %j as it is', async (text, found) => {
    expect(await search({ text })).toMatchObject({ total: found.length })
    expect(await slugs({ text })).toEqual(found)
  })

  it.each(['slug', 'name', 'created'] as const)(
    'pages by %s from both ends, each visitor once',
    async (sort) => {
      for (const isDescending of [false, true]) {
        const seen: string[] = []
        for (let offset = 0; offset < 12_004; offset += 1000)
          seen.push(...(await slugs({ sort, isDescending, offset, limit: 1000 })))
        expect(new Set(seen).size).toBe(12_004)
        expect(seen).toHaveLength(12_004)
        const first = await slugs({ sort, isDescending: !isDescending })
        expect(seen.slice(-3)).toEqual(first.toReversed())
      }
    },
  )

  it('keeps to filters, alone and with a text', async () => {
    expect(await search({ listed: true })).toMatchObject({ total: 1200 })
    expect(await search({ prompt: false })).toMatchObject({ total: 6004 })
    expect(await slugs({ listed: true, prompt: true, text: 'v-0010', limit: 50 })).toEqual(['v-00100'])
    expect(await slugs({ text: 'name 8800', sort: 'created', isDescending: true })).toEqual([
      'v-11999',
      'v-11998',
      'v-11997',
    ])
  })

  it('counts no more than it has to where a text is found often, and pages on', async () => {
    const found = await search({ text: 'name', sort: 'name', offset: 11_000, limit: 2 })
    expect(found).toMatchObject({ total: 10_000, isMore: true })
    expect(found.visitors.map(({ name }) => name)).toEqual(['Name 98999', 'Name 99000'])
  })

  it.each(['slug', 'name', 'created'] as const)(
    'looks for a text part by part, by %s, and finds each visitor once',
    async (sort) => {
      for (const isDescending of [false, true]) {
        const query = vi.spyOn(db, 'query')
        const found = await search({ text: '7', sort, isDescending, limit: 10_000 })
        // Two parts, and the page.
        expect(query).toHaveBeenCalledTimes(3)
        query.mockRestore()
        const { rows } = await db.query(
          `select slug from public.visitors where slug like '%7%' or name like '%7%'
           order by ${{ slug: 'lower(slug)', name: 'lower(name)', created: 'created_at' }[sort]} ${isDescending ? 'desc' : ''}`,
          [],
        )
        expect(found.visitors.map(({ slug }) => ({ slug }))).toEqual(rows)
        expect(found).toMatchObject({ total: rows.length, isMore: false })
      }
    },
  )

  it('goes on behind visitors of one microsecond', async () => {
    await db.exec(`insert into public.visitors (slug, name, created_at)
      select 'm-' || i, 'Micro', timestamptz '2027-01-01' + i * interval '1 microsecond' from generate_series(1, 10500) i`)
    const found = await search({
      text: 'micro',
      sort: 'created',
      isDescending: true,
      offset: 9_990,
      limit: 500,
    })
    expect(found.visitors.map(({ slug }) => slug)).toEqual(
      Array.from({ length: 500 }, (_, n) => `m-${510 - n}`),
    )
    await db.exec(`delete from public.visitors where name = 'Micro'`)
  })

  it('finds nothing behind the end', async () => {
    expect(await search({ offset: 50_000 })).toMatchObject({ visitors: [], total: 12_004 })
    expect(await search({ text: 'école', offset: 10 })).toMatchObject({ visitors: [], total: 1 })
  })
})
