import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namedSlug } from './slug-header.js'

describe.each(DATABASES)('the slug of a request, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())

  it.each([
    'acme',
    'ACME',
    'm%C3%BCnchen',
    '%2541',
    '100%',
    '%zz',
    '%ff',
    'a%00b',
    '%00',
    'é%41',
    'a,b',
    '%ED%A0%80',
    '%C0%80',
    '%F4%90%80%80',
    '%0A',
    '%E2%80%AE',
  ])('is the same for us and for the policy of the visitors: %s', async (sent) => {
    const { rows } = await db.query<{ slug: string; ours: string }>(
      `select private.request_slug() as slug, lower($2) as ours
       from (select set_config('request.headers', $1, false)) as set`,
      [
        JSON.stringify({ 'x-visitor-slug': sent }),
        namedSlug(new Request('http://localhost', { headers: { 'x-visitor-slug': sent } })),
      ],
    )
    expect(rows[0]?.slug).toBe(rows[0]?.ours)
  })
})
