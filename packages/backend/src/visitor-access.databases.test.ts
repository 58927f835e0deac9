import { DATABASES } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findExposures } from './access/exposure.js'
import { createBackend } from './backend.js'
import { CANARY, KEYS, type RunningBackend, runBackend } from './testing/running-backend.js'

let backend: RunningBackend
beforeAll(async () => {
  backend = await runBackend()
  const { error } = await backend
    .client(KEYS.secret)
    .from('visitors')
    .insert([
      CANARY,
      { slug: 'a_b', name: 'Underscore', system: null, first_message: null },
      { slug: 'axb', name: 'Not Underscore', system: null, first_message: null },
      { slug: '100%', name: 'Percent', system: null, first_message: null },
      { slug: 'star*', name: 'Star', system: null, first_message: null },
    ])
  expect(error).toBeNull()
})
afterAll(() => backend.close())

/** The page's client: the public key, and the slug it is about. */
const page = (slug?: string) =>
  backend.client(KEYS.publishable, slug === undefined ? {} : { 'x-visitor-slug': slug })

describe('the three reads of the page (spec 7)', () => {
  it('lists the named visitor and the listed ones', async () => {
    const { data, error } = await page('riverside-dental').from('visitors').select('slug, name').order('slug')
    expect(error).toBeNull()
    expect(data).toEqual([
      { slug: 'default', name: 'there' },
      { slug: 'riverside-dental', name: 'Riverside Dental' },
    ])
  })

  it('reads the visitor of the slug, all fields', async () => {
    const { data, status } = await page(CANARY.slug)
      .from('visitors')
      .select('*')
      .eq('slug', CANARY.slug)
      .maybeSingle()
    expect(status).toBe(200)
    expect(data).toMatchObject({ ...CANARY, listed: false })
    expect(Date.parse(data.created_at)).toBeGreaterThan(0)
  })

  it('finds it in another case, by the third read only', async () => {
    const slug = CANARY.slug.toUpperCase()
    const exact = await page(slug).from('visitors').select('*').eq('slug', slug).maybeSingle()
    expect(exact).toMatchObject({ data: null, error: null })
    const { data } = await page(slug).from('visitors').select('*').ilike('slug', slug).maybeSingle()
    expect(data).toMatchObject(CANARY)
  })

  it('finds nobody under a slug that is nobody’s', async () => {
    const visitors = () => page('nobody').from('visitors').select('*')
    expect(await visitors().eq('slug', 'nobody').maybeSingle()).toMatchObject({ data: null, error: null })
    expect(await visitors().ilike('slug', 'nobody').maybeSingle()).toMatchObject({ data: null, error: null })
  })

  it('without the header finds listed visitors only', async () => {
    expect((await page().from('visitors').select('slug, name')).data).toEqual([
      { slug: 'default', name: 'there' },
    ])
    expect(
      (await page().from('visitors').select('*').eq('slug', 'default').maybeSingle()).data,
    ).toMatchObject({
      name: 'there',
    })
    expect((await page().from('visitors').select('*').eq('slug', CANARY.slug).maybeSingle()).data).toBeNull()
  })

  it('keeps nothing in caches that one slug showed for another', async () => {
    const answer = await fetch(`${backend.url}/rest/v1/visitors?select=slug`, {
      headers: { apikey: KEYS.publishable },
    })
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('vary')).toBe('x-visitor-slug')
  })
})

describe('a slug with wildcards', () => {
  /** What the page does: escape, and ask without regard to case. */
  const escaped = (slug: string) => slug.replace(/[\\%_]/g, '\\$&')
  it.each([
    ['a_b', 'Underscore'],
    ['A_B', 'Underscore'],
    ['100%', 'Percent'],
  ])('%s matches only itself', async (slug, name) => {
    const secret = backend.client(KEYS.secret)
    const { data } = await secret.from('visitors').select('name').ilike('slug', escaped(slug))
    expect(data).toEqual([{ name }])
    expect((await page(slug).from('visitors').select('name').ilike('slug', escaped(slug))).data).toEqual([
      { name },
    ])
  })

  it.each(['%', '_', '*', 'C%', 'canary__', 'canary*', 'c_nary-7'])(
    '%s opens nobody else’s page',
    async (slug) => {
      for (const pattern of [slug, escaped(slug)]) {
        const { data } = await page(slug).from('visitors').select('*').ilike('slug', pattern)
        expect(data?.filter(({ listed }) => !listed)).toEqual([])
      }
    },
  )

  it('a backslash matches only itself', async () => {
    const secret = backend.client(KEYS.secret)
    await secret.from('visitors').insert({ slug: 'back\\slash', name: 'Backslash' })
    expect((await secret.from('visitors').select('name').ilike('slug', escaped('back\\slash'))).data).toEqual(
      [{ name: 'Backslash' }],
    )
    expect((await secret.from('visitors').select('name').ilike('slug', escaped('back\\lash'))).data).toEqual(
      [],
    )
  })
})

describe('what the public key finds of a visitor whose slug it does not name', () => {
  /** Every way we know of asking for the canary, as query strings. */
  const probes = [
    'select=*',
    `slug=eq.${CANARY.slug}`,
    `slug=in.(default,${CANARY.slug})`,
    'slug=like.C*',
    'slug=ilike.*canary*',
    'slug=neq.default',
    'slug=not.eq.default',
    'slug=not.is.null',
    'slug=gt.A&slug=lt.D',
    'listed=is.false',
    'listed=not.is.true',
    'system=eq.canary-prompt',
    'system=like.*canary*',
    'first_message=eq.Psst',
    'name=ilike.nobody*',
    'order=system.desc.nullslast&limit=1',
    'order=created_at.desc',
    'offset=1',
    'limit=1&offset=2',
    'select=id,alias:system&listed=eq.false',
    'select=prompt:system::varchar',
  ]

  const ask = (query: string, key: string, headers: Record<string, string> = {}) =>
    fetch(`${backend.url}/rest/v1/visitors?${query}`, { headers: { apikey: key, ...headers } })
  const finds = async (query: string, key: string, headers?: Record<string, string>) =>
    /canary/i.test(await (await ask(query, key, headers)).text())

  it.each(probes)('nothing: %s', async (query) => {
    expect((await ask(query, KEYS.publishable)).status).toBe(200)
    expect(await finds(query, KEYS.publishable)).toBe(false)
    expect(await finds(query, KEYS.publishable, { 'x-visitor-slug': 'riverside-dental' })).toBe(false)
  })

  it('while the secret key finds it by the same probes, and its slug by the public key', async () => {
    const found = await Promise.all(probes.map((query) => finds(query, KEYS.secret)))
    // Pages of one row depend on the order of the others; all else finds it.
    expect(found.filter(Boolean).length).toBeGreaterThanOrEqual(probes.length - 3)
    expect(await finds('select=*', KEYS.publishable, { 'x-visitor-slug': 'CANARY-7' })).toBe(true)
  })

  it('counts only what it shows', async () => {
    const { count } = await page().from('visitors').select('*', { count: 'exact', head: true })
    expect(count).toBe(1)
  })

  it.each(['', '%', '*', 'canary-7,default', '{"a":1}', '"', '\\', "' or true --", 'canary-7\u00e9'])(
    'nothing with the header %j',
    async (slug) => {
      expect(await finds('select=*', KEYS.publishable, { 'x-visitor-slug': slug })).toBe(false)
    },
  )

  it('nothing in other schemas', async () => {
    for (const schema of [
      'private',
      'auth',
      'call_desk',
      'voice_platform',
      'pg_catalog',
      'supabase_migrations',
    ]) {
      const answer = await ask('', KEYS.publishable, { 'accept-profile': schema })
      expect([answer.status, (await answer.json()).code]).toEqual([406, 'PGRST106'])
    }
  })
})

describe('writes with the public key', () => {
  it.each([
    ['insert', () => page('mine').from('visitors').insert({ slug: 'mine', name: 'Me' })],
    ['update', () => page('default').from('visitors').update({ name: 'Me' }).eq('slug', 'default')],
    ['delete', () => page('default').from('visitors').delete().eq('slug', 'default')],
  ])('%s is refused with 401', async (_, write) => {
    expect(await write()).toMatchObject({ status: 401, error: { code: '42501' } })
    const { rows } = await backend.db.query(
      "select name from public.visitors where slug in ('default', 'mine')",
    )
    expect(rows).toEqual([{ name: 'there' }])
  })
})

describe.each(DATABASES)('VISITOR_ACCESS=open on $name', ({ open }) => {
  let opened: RunningBackend
  beforeAll(async () => {
    opened = await runBackend({}, { open, visitorAccess: 'open' })
    const { error } = await opened.client(KEYS.secret).from('visitors').insert(CANARY)
    expect(error).toBeNull()
  })
  afterAll(() => opened.close())

  it('shows every visitor to the public key, with the header and without', async () => {
    for (const headers of [undefined, { 'x-visitor-slug': 'nobody' }]) {
      const { data, count } = await opened
        .client(KEYS.publishable, headers)
        .from('visitors')
        .select('slug', { count: 'exact' })
        .order('slug')
      expect(data?.map(({ slug }) => slug).sort()).toEqual([CANARY.slug, 'default', 'riverside-dental'])
      expect(count).toBe(3)
    }
  })

  it('opens nothing but that', async () => {
    const anon = opened.client(KEYS.publishable)
    expect(await anon.from('visitors').delete().eq('slug', 'default')).toMatchObject({ status: 401 })
    expect(await findExposures(opened.db)).toEqual([])
  })

  it.each([null, '', 'slug', 'OPEN', 'open ', 'opened', '1', 'on', 'true'])(
    'is not what a transaction has whose setting is %j',
    async (setting) => {
      const seen = await opened.db.transaction(async (tx) => {
        await tx.query('set local role anon')
        if (setting !== null)
          await tx.query("select set_config('heyline.visitor_access', $1, true)", [setting])
        return (await tx.query<{ slug: string }>('select slug from public.visitors')).rows
      })
      expect(seen).toEqual([{ slug: 'default' }])
    },
  )

  it('is not inherited by a backend that was not told so, even from the session', async () => {
    const { db } = opened
    const { fetch: ask } = createBackend({
      db: {
        kind: db.kind,
        query: (sql, parameters) => db.query(sql, parameters),
        exec: (sql) => db.exec(sql),
        listen: (channel, heard) => db.listen(channel, heard),
        close: () => db.close(),
        transaction: (run) =>
          db.transaction(async (tx) => {
            await tx.query("select set_config('heyline.visitor_access', 'open', true)")
            return await run(tx)
          }),
      },
      keys: KEYS,
      functions: {},
      logger: pino({ level: 'silent' }),
    })
    const headers = { apikey: KEYS.publishable }
    const answer = await ask(new Request('http://localhost/rest/v1/visitors?select=slug', { headers }))
    expect(await answer.json()).toEqual([{ slug: 'default' }])
  })
})
