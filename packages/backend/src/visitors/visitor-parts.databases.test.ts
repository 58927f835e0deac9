import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visitor } from './visitor.js'
import { visitorsOf } from './visitor-parts.js'
import { createVisitors } from './visitors.js'

describe.each(DATABASES)('visitors in parts, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
    await db.exec(`delete from public.visitors; insert into public.visitors (slug, name, system)
      select 'V-' || lpad(i::text, 3, '0'), 'V', case when i <= 60 then repeat('x', 100000) end from generate_series(1, 300) i`)
  })
  afterAll(() => db.close())

  const slugs = Array.from({ length: 300 }, (_, at) => `v-${String(at + 1).padStart(3, '0')}`)

  it.each([
    ['all of them', () => createVisitors(db).export()],
    ['some of them', () => visitorsOf(db, [...slugs.toReversed(), 'nobody'])],
  ])('%s, by slug, in parts of few rows and bytes', async (_, ask) => {
    const parts: Visitor[][] = []
    for await (const part of ask()) parts.push(part)
    expect(parts.flat().map(({ slug }) => slug.toLowerCase())).toEqual(slugs)
    expect(parts[0]).toHaveLength(19)
    expect(parts[0]?.[0]).toMatchObject({ name: 'V', system: 'x'.repeat(100_000), listed: false })
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(200)
      expect(JSON.stringify(part).length).toBeLessThan(2_100_000)
    }
  })
})
