import { DATABASES } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBackend } from '../../index.js'
import { KEYS, type RunningBackend, runBackend } from '../../testing/running-backend.js'

/** Opening PGlite again, on a machine that is busy with others, in ms. */
const LONG = 60_000

const TABLES = `
  create table public.texts (id int primary key, note text, filler text);
  insert into public.texts select id, 'n', repeat('x', 900000) from generate_series(1, 5) as id;
  grant select on public.texts to anon, service_role;
  grant update (note) on public.texts to anon;
  create function public.long_text(length int) returns text language sql as $$ select repeat('x', length) $$;
  create function public.busy(ms int) returns int language plpgsql volatile as $$
    declare until timestamptz := clock_timestamp() + make_interval(secs => ms / 1000.0);
    begin
      while clock_timestamp() < until loop end loop;
      return ms;
    end $$;
`

const MANY_VISITORS = `
  insert into public.visitors (slug, name, system, listed)
  select 'v' || i, 'Visitor ' || i, repeat('Please answer every question about business ' || i || '. ', 10), true
  from generate_series(1, 42000) as i;
  insert into public.visitors (slug, name, system, listed)
  select 'long' || i, 'Long ' || i, repeat('The quick brown fox jumps over the lazy dog. ', 2200) || i, true
  from generate_series(1, 300) as i;
`

interface Answered {
  status: number
  code: unknown
}

describe.each(DATABASES)('a request without the secret key, on $name', ({ kind, open }) => {
  let backend: RunningBackend
  const ask = async (
    path: string,
    { apikey = KEYS.publishable, ...init }: RequestInit & { apikey?: string } = {},
  ): Promise<Answered> => {
    const headers = { apikey, 'content-type': 'application/json', ...init.headers }
    const answer = await fetch(`${backend.url}/rest/v1${path}`, { ...init, headers })
    const text = await answer.text()
    const { code } = Object(answer.ok || text === '' ? {} : JSON.parse(text))
    return { status: answer.status, code }
  }
  const start = async (options: { anonymousPatienceMs?: number } = {}): Promise<void> => {
    backend = await runBackend({}, { open, ...options })
    await backend.db.exec(TABLES)
  }

  describe('that is costly', () => {
    beforeAll(() => start())
    afterAll(() => backend.close())

    it('is refused before the database is asked', async () => {
      // (?=…) before what takes exponential time: five seconds of the database each, until now.
      const pattern = encodeURIComponent(`(?=(a|a?)+$)${'(?=.*.*.*.*.*b)'.repeat(20)}`)
      const path = `/visitors?system=match.${pattern}`
      expect(await Promise.all([ask(path), ask(path), ask(path)])).toMatchObject(
        Array(3).fill({ status: 400, code: 'PGRST127' }),
      )
      expect(await ask('/visitors?slug=match.^default$', { apikey: KEYS.secret })).toMatchObject({
        status: 200,
      })
    })

    it('is not answered with more than 2 MB', async () => {
      const path = '/texts?select=id,filler'
      expect(await ask(path)).toMatchObject({ status: 400, code: '54000' })
      expect(await ask(`${path}&limit=2`)).toMatchObject({ status: 200 })
      expect(await ask(path, { apikey: KEYS.secret })).toMatchObject({ status: 200 })
      expect(await ask(path, { method: 'HEAD' })).toMatchObject({ status: 200 })
      expect(await ask('/texts?select=*,own:note&limit=1')).toMatchObject({ status: 200 })
      expect(await ask('/texts?select=id,own:id&limit=1')).toMatchObject({ status: 400, code: '42701' })
    })

    it('is not answered with more by a function', async () => {
      const call = (length: number, apikey?: string) =>
        ask('/rpc/long_text', { method: 'POST', body: JSON.stringify({ length }), ...(apikey && { apikey }) })
      expect(await call(1_900_000)).toMatchObject({ status: 200 })
      expect(await call(2_100_000)).toMatchObject({ status: 400, code: '54000' })
      expect(await call(2_100_000, KEYS.secret)).toMatchObject({ status: 200 })
    })

    it('changes nothing where its answer is too large', async () => {
      const change = { method: 'PATCH', body: '{"note":"new"}', headers: { prefer: 'return=representation' } }
      expect(await ask('/texts?id=gt.0', change)).toMatchObject({ status: 400, code: '54000' })
      const { rows } = await backend.db.query('select distinct note from public.texts')
      expect(rows).toEqual([{ note: 'n' }])
    })
  })

  describe('that is slow', () => {
    beforeAll(() => start({ anonymousPatienceMs: 250 }))
    afterAll(() => backend.close())
    const busy = (ms: number) => ask(`/rpc/busy?ms=${ms}`)

    it(
      'ends after 250 ms, and keeps nobody else from the database',
      async () => {
        const slow = [1, 2, 3].map(() => busy(60_000))
        for (const path of ['/visitors?select=*&slug=eq.default', '/visitors?select=slug,name'])
          expect(await ask(path)).toMatchObject({ status: 200 })
        expect((await Promise.all(slow)).every(({ status }) => status === 400 || status === 504)).toBe(true)
        expect(await Promise.all(slow)).toContainEqual(
          expect.objectContaining({ status: 400, code: '57014' }),
        )
        // Nobody has PGlite opened again right away: it takes seconds until another one stands ready.
        expect((await busy(60_000)).code).toBe(kind === 'pglite' ? 'PGRST003' : '57014')
        expect(backend.log).toEqual([])
      },
      LONG,
    )
  })

  describe('that goes through many rows', () => {
    beforeAll(async () => {
      await start({ anonymousPatienceMs: 250 })
      await backend.db.transaction((tx) => tx.exec(MANY_VISITORS), { patienceMs: LONG })
    }, LONG)
    afterAll(() => backend.close())
    const times = (count: number, one: (index: number) => string): string =>
      Array.from({ length: count }, (_, index) => one(index)).join(',')

    it.each([
      ['every text', 'select=*'],
      ['many patterns', `select=slug&or=(${times(49, (n) => `system.ilike.*z${n}q*`)})`],
      ['a list of patterns', `select=slug&system=ilike(any).{${times(49, (n) => `*z${n}q*`)}}`],
      ['a pattern that begins everywhere', `select=slug&system=like.*%20${'_'.repeat(490)}Q*`],
      ['many paths into rows left out', `select=${times(100, (n) => `system->k${n}`)}&offset=50000`],
      ['many paths', `select=slug&or=(${times(50, (n) => `system->k${n}.eq.1`)})`],
      ['an order of long texts', 'select=slug&order=system.desc&offset=42200'],
      ['an order of paths', `select=slug&order=${times(5, (n) => `system->k${n}`)}&offset=42200`],
      ['a long list', `select=slug&system=in.(${times(500, (n) => `v${n}`)})`],
      ['many comparisons', `select=slug&${Array(50).fill('system=gt.Please').join('&')}`],
    ])('ends by itself, and PGlite is not opened again: %s', async (_, query) => {
      // It would be gone with PGlite's session.
      if (kind === 'pglite') await backend.db.exec('create temporary table if not exists kept ()')
      const { status, code } = await ask(`/visitors?${query}`, { headers: { prefer: 'count=exact' } })
      expect([200, 206, 400]).toContain(status)
      if (status === 400) expect(['57014', '54000']).toContain(code)
      if (kind === 'pglite') await backend.db.query('select from kept')
      expect(backend.log).toEqual([])
    })

    it.each([
      ['select=slug&slug=like.v41*&limit=10', 10],
      ['select=slug&name=like.Visitor 41*&limit=10', 10],
      ['select=slug,name&order=name&limit=10', 10],
      ['select=slug,name,created_at&limit=1000', 1000],
      ['select=name&slug=eq.v41000', 1],
      ['select=name&slug=in.(v1,v2,v3)', 3],
    ])('is answered whole where it is an honest one: %s', async (query, rows) => {
      // With the guards of any other, but patience for a machine that is busy with others.
      const patient = createBackend({
        db: backend.db,
        keys: KEYS,
        functions: {},
        anonymousPatienceMs: LONG,
        logger: pino({ level: 'silent' }),
      })
      const asked = new Request(`http://localhost/rest/v1/visitors?${query}`, {
        headers: { apikey: KEYS.publishable },
      })
      expect(await (await patient.fetch(asked)).json()).toHaveLength(rows)
      await patient.close()
    })
  })

  describe('that many others send as well', () => {
    beforeAll(() => start({ anonymousPatienceMs: 5_000 }))
    afterAll(() => backend.close())
    const busy = (ms: number) => ask(`/rpc/busy?ms=${ms}`)

    it(
      'waits in a line of its own, which is refused when it is full',
      async () => {
        const all = Promise.all(Array.from({ length: 60 }, () => busy(200)))
        const lookup = ask('/visitors?select=*&slug=eq.default')
        const answers = await all
        expect(await lookup).toMatchObject({ status: 200 })
        const refused = answers.filter(({ status }) => status === 504)
        expect(refused.length).toBeGreaterThan(0)
        expect(refused.map(({ code }) => code)).toEqual(Array(refused.length).fill('PGRST003'))
        expect(answers.some(({ status }) => status === 200)).toBe(true)
      },
      LONG,
    )
  })
})
