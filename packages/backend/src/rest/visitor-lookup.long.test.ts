import type { Db, Queryable } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEYS, type RunningBackend, runBackend } from '../testing/running-backend.js'

const MANY = 5_000
/** So many that Postgres hopes to find enough listed ones among the first. */
const HIDDEN = 20_000
const SLUGS = [
  'a_b',
  'aXb',
  '50%',
  'back\\slash',
  'Straße',
  'İstanbul',
  'ISPARTA',
  'ΟΔΟΣ',
  'Ünïcode',
  'Ⅳ',
  'a.b',
  "o'k",
]
const VISITORS = `
  insert into public.visitors (slug, name, listed) select 'Many-' || i, 'x', true from generate_series(1, ${MANY}) i;
  insert into public.visitors (slug, name, listed)
  select slug, 'x', true from json_array_elements_text('${JSON.stringify(SLUGS).replaceAll("'", "''")}') slug;
  insert into public.visitors (slug, name) values ('Hidden', 'x');
`

interface Plan {
  'Node Type': string
  'Actual Rows'?: number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** The same database; it notes how each statement on the visitors goes about them. */
function explaining(db: Db, plans: Plan[]): Db {
  const explained = (tx: Queryable): Queryable => ({
    exec: (sql) => tx.exec(sql),
    async query(sql, values, options) {
      if (sql.includes('public"."visitors"') || sql.includes('public.visitors')) {
        const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, format json) ${sql}`,
          values ?? [],
        )
        plans.push(...rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan)))
      }
      return await tx.query(sql, values, options)
    },
  })
  return {
    kind: db.kind,
    query: (sql, values, options) => db.query(sql, values, options),
    exec: (sql) => db.exec(sql),
    transaction: (run, options) => db.transaction((tx) => run(explained(tx)), options),
    listen: (channel, heard) => db.listen(channel, heard),
    close: () => db.close(),
  }
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** As the page escapes a slug. */
const exactly = (slug: string): string => slug.replaceAll(/[\\%_]/g, '\\$&')

describe.each(DATABASES)('a lookup without case, on $name', ({ open }) => {
  const plans: Plan[] = []
  let backend: RunningBackend
  beforeAll(async () => {
    backend = await runBackend({}, { open: async () => explaining(await open(), plans) })
    await backend.db.exec(VISITORS)
  })
  afterAll(() => backend.close())

  const look = async (pattern: string, headers: Record<string, string> = {}): Promise<string[]> => {
    const query = new URLSearchParams({ select: '*', slug: `ilike.${pattern}` })
    const answer = await fetch(`${backend.url}/rest/v1/visitors?${query}`, {
      headers: { apikey: KEYS.publishable, ...headers },
    })
    expect(answer.status).toBe(200)
    const found: unknown = await answer.json()
    return Array.isArray(found) ? found.map((row) => String(Object(row).slug)) : []
  }

  it.each(['default', 'MANY-77', 'many-78', 'nobody'])(
    'goes through no other visitors to find %s',
    async (slug) => {
      for (const state of ['as they came', 'counted']) {
        if (state === 'counted') await backend.db.exec('analyze public.visitors')
        plans.length = 0
        await look(slug)
        expect(plans.length).toBeGreaterThan(0)
        const touched = plans.map(
          (plan) => (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0),
        )
        expect(Math.max(...touched), JSON.stringify(plans)).toBeLessThan(50)
      }
    },
  )

  it('finds what ilike finds', async () => {
    const wanted = SLUGS.flatMap((slug) => [slug, slug.toUpperCase(), slug.toLowerCase()])
    const others = [
      'STRASSE',
      'strasse',
      'i̇stanbul',
      'istanbul',
      'ısparta',
      'οδοσ',
      'ⅳ',
      'A-B',
      '%',
      '_',
      '\\',
      'many-1 ',
      '',
    ]
    for (const slug of [...wanted, ...others]) {
      const { rows } = await backend.db.query<{ slug: string }>(
        'select slug from public.visitors where slug ilike $1 and listed',
        [exactly(slug)],
      )
      expect(await look(exactly(slug)), slug).toEqual(rows.map((row) => row.slug))
    }
  })

  it('shows nobody a visitor whose slug the request does not name', async () => {
    expect(await look('hidden')).toEqual([])
    expect(await look('hidden', { 'x-visitor-slug': 'hIDDEN' })).toEqual(['Hidden'])
  })
})

describe.each(DATABASES)('the list, on $name', ({ open }) => {
  const plans: Plan[] = []
  let backend: RunningBackend
  beforeAll(async () => {
    backend = await runBackend({}, { open: async () => explaining(await open(), plans) })
    await backend.db.exec(`
      insert into public.visitors (slug, name, system)
      select 'Many-' || i, 'x', repeat('y', 300) from generate_series(1, ${HIDDEN}) i`)
  })
  afterAll(() => backend.close())

  it.each(['as they came', 'counted'])('goes through no hidden visitors %s', async (state) => {
    if (state === 'counted') await backend.db.exec('analyze public.visitors')
    plans.length = 0
    const answer = await fetch(`${backend.url}/rest/v1/visitors?select=slug,name`, {
      headers: { apikey: KEYS.publishable, 'x-visitor-slug': 'many-77' },
    })
    const found: unknown = await answer.json()
    expect(found).toEqual(expect.arrayContaining([{ slug: 'Many-77', name: 'x' }]))
    const touched = plans.map((plan) => (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0))
    expect(touched.length).toBeGreaterThan(0)
    expect(Math.max(...touched), JSON.stringify(plans)).toBeLessThan(50)
  })
})
