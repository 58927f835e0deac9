import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { KEYS } from '../testing/running-backend.js'
import { runThings, type Things } from '../testing/things.js'

let things: Things
beforeAll(async () => {
  things = await runThings()
})
afterAll(() => things.backend.close())
beforeEach(() => things.reset())

describe('reading', () => {
  it('leaves the writing of values to Postgres', async () => {
    const text = await (await things.ask('/things?id=eq.1&select=*')).text()
    expect(text).toContain('"big":9007199254740993')
    expect(text).toContain('"price":1.1000')
    expect(text).toContain('"made":"2026-01-02T03:04:05.678901+00:00"')
    expect(text).toContain('"data":{"a": [1]}')
  })

  it('asks the database nothing for whoever is gone when the turn comes', async () => {
    const headers = { apikey: KEYS.publishable }
    const url = 'http://localhost/rest/v1/things?select=id'
    const gone = new Request(url, { headers, signal: AbortSignal.abort() })
    const logged = things.backend.log.length
    expect((await things.backend.serve(gone)).status).toBe(499)
    expect(things.backend.log).toHaveLength(logged)
  })

  it('renames and casts columns', async () => {
    const { data } = await things.table().select('number:id, id::text, "name"').eq('id', 2)
    expect(data).toEqual([{ number: 2, id: '2', name: 'Two' }])
  })

  it('selects nothing of every row where nothing is selected', async () => {
    expect(await (await things.ask('/things?select=')).json()).toEqual([{}, {}, {}])
  })

  it.each([
    ['id=eq.1', [1]],
    ['id=neq.1', [2, 3]],
    ['id=gt.1&id=lt.3', [2]],
    ['id=gte.2', [2, 3]],
    ['id=lte.2', [1, 2]],
    ['id=not.eq.1', [2, 3]],
    ['name=like.T*', [2]],
    ['name=ilike.T*', [2, 3]],
    ['name=not.ilike.t*', [1]],
    ['price=is.null', [2]],
    ['price=not.is.null', [1, 3]],
    ['price=is.not_null', [1, 3]],
    ['id=in.(1,3)', [1, 3]],
    ['id=not.in.(1,3)', [2]],
    ['id=in.()', []],
    ['name=in.("th\\"r,e)e",one)', [1, 3]],
    ['name=eq.th"r,e)e', [3]],
    ['%22name%22=eq.one', [1]],
    ['order=name.desc&limit=2', [3, 1]],
    ['order=price.nullsfirst,id.desc', [2, 1, 3]],
    ['order=price.desc.nullslast', [3, 1, 2]],
    ['order=id&offset=1', [2, 3]],
    ['order=id&offset=1&limit=1', [2]],
    ['limit=0', []],
  ])('%s', async (query, ids) => {
    const answer = await things.ask(
      `/things?select=id&${query.includes('order') ? query : `${query}&order=id`}`,
    )
    expect(answer.status).toBe(200)
    expect((await answer.json()).map(({ id }: { id: number }) => id)).toEqual(ids)
  })

  it('takes the aliases of a selection for names of the answer only', async () => {
    const { data } = await things.table().select('name:id').order('name', { ascending: false })
    expect(data).toEqual([{ name: 3 }, { name: 1 }, { name: 2 }])
  })

  it('gives one object, or says how many there are', async () => {
    expect((await things.table().select('id').eq('id', 1).single()).data).toEqual({ id: 1 })
    expect(await things.table().select('id').eq('id', 9).single()).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 0 rows' },
    })
    expect(await things.table().select('id').single()).toMatchObject({
      error: { details: 'The result contains 3 rows' },
    })
    expect(await things.table().select('id').eq('id', 9).maybeSingle()).toMatchObject({
      data: null,
      error: null,
    })
    expect((await things.table().select('id').eq('id', 1).maybeSingle()).data).toEqual({ id: 1 })
  })

  it('counts all rows beside a page of them', async () => {
    expect(await things.table().select('id', { count: 'exact' }).order('id').range(0, 1)).toMatchObject({
      status: 206,
      count: 3,
      data: [{ id: 1 }, { id: 2 }],
    })
    expect(await things.table().select('id', { count: 'estimated' })).toMatchObject({ status: 200, count: 3 })
    expect(await things.table().select('*', { count: 'exact', head: true }).gt('id', 1)).toMatchObject({
      count: 2,
    })
  })

  it('tells the range in a header', async () => {
    const range = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await things.ask(`/things?select=id&order=id${query}`, { headers })
      return [answer.status, answer.headers.get('content-range'), answer.headers.get('preference-applied')]
    }
    const counted = { prefer: 'count=exact' }
    expect(await range('')).toEqual([200, '0-2/*', null])
    expect(await range('', counted)).toEqual([200, '0-2/3', 'count=exact'])
    expect(await range('&offset=2&limit=5', counted)).toEqual([206, '2-2/3', 'count=exact'])
    expect(await range('&offset=3', counted)).toEqual([206, '*/3', 'count=exact'])
    expect(await range('&id=eq.9', counted)).toEqual([200, '*/0', 'count=exact'])
    expect(await range('', { ...counted, range: '1-1' })).toEqual([206, '1-1/3', 'count=exact'])
    expect(await range('', { range: '1-' })).toEqual([200, '1-2/*', null])
    expect(await range('&limit=1', { range: '1-2' })).toEqual([200, '*/*', null])
  })

  it('refuses a page that cannot be', async () => {
    const counted = { headers: { prefer: 'count=exact' } }
    expect(await things.refusal('/things?offset=4', counted)).toEqual([416, 'PGRST103'])
    expect(await things.refusal('/things?limit=-1')).toEqual([416, 'PGRST103'])
    expect(await things.refusal('/things', { headers: { range: '3-1' } })).toEqual([416, 'PGRST103'])
  })

  it('answers HEAD as GET, without the body', async () => {
    const answer = await things.ask('/things?id=eq.1', { method: 'HEAD' })
    expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([
      200,
      '0-0/*',
      '',
    ])
    expect((await things.ask('/nothing', { method: 'HEAD' })).status).toBe(404)
  })

  it('gives a thousand rows at most', async () => {
    await things.backend.db.exec('insert into public.things (id) select generate_series(1000, 2100)')
    expect(await (await things.ask('/things?select=id&limit=5000')).json()).toHaveLength(1000)
  })

  it('cannot write', async () => {
    await things.backend.db.exec(`
      create or replace function public.count_up() returns int language sql as
        $$ update public.things set id = id + 100 returning id $$;
      create or replace view public.writing as select public.count_up() as id;
      grant select on public.writing to service_role;
    `)
    expect(await things.refusal('/writing')).toEqual([405, '25006'])
  })

  it('tells policies who asks and what', async () => {
    await things.backend.db.exec(`
      create or replace view public.context as select
        current_user::text as role, auth.jwt() ->> 'role' as claim,
        current_setting('request.method') as method, current_setting('request.path') as path,
        current_setting('request.headers')::json as headers, current_setting('search_path') as search_path;
      grant select on public.context to anon;
    `)
    const headers = { apikey: KEYS.publishable, cookie: 'a=b', 'x-visitor-slug': 'ann' }
    const [context] = await (await things.ask('/context', { headers })).json()
    // The role of a view's expressions is its reader's, the one that was set.
    expect(context).toMatchObject({
      role: 'anon',
      claim: 'anon',
      method: 'GET',
      path: '/context',
      headers: { 'x-visitor-slug': 'ann' },
      search_path: '"public", "extensions"',
    })
    for (const name of ['apikey', 'authorization', 'cookie']) expect(context.headers).not.toHaveProperty(name)
  })
})
