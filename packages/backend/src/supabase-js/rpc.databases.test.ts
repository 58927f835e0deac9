import { expect, it } from 'vitest'
import { describePlaces } from '../testing/places.js'
import { KEYS } from '../testing/running-backend.js'

describePlaces('a function that the client calls', (places) => {
  const rpc: typeof places.client.rpc = (...call) => places.client.rpc(...call)
  const refusal = async (query: PromiseLike<{ status: number; error: { code: string } | null }>) => {
    const { status, error } = await query
    return [status, error?.code]
  }

  it('gives a value', async () => {
    expect(await rpc('add', { a: 1, b: 2 })).toMatchObject({ status: 200, data: 3 })
    expect((await rpc('add', { a: 1 })).data).toBe(11)
    expect((await rpc('add', { b: 2, a: 1 }, { get: true })).data).toBe(3)
    expect((await rpc('add', { a: 1, b: 2 }).single()).data).toBe(3)
    expect(await rpc('empty')).toMatchObject({ status: 200, data: null, error: null })
  })

  it('gives nothing', async () => {
    expect(await rpc('nothing')).toMatchObject({ status: 204, data: null, error: null })
    expect(await rpc('note', { text: 'written' })).toMatchObject({ status: 204 })
    expect((await places.client.from('lines').select()).data).toEqual([{ text: 'written' }])
  })

  it('gives a list of values', async () => {
    expect(await rpc('numbers', { up_to: 3 })).toMatchObject({ data: [1, 2, 3] })
    expect(await rpc('numbers', { up_to: 0 })).toMatchObject({ data: [] })
    expect(await rpc('numbers', { up_to: 5 }, { count: 'exact' }).range(1, 2)).toMatchObject({
      status: 206,
      count: 5,
      data: [2, 3],
    })
    expect((await rpc('numbers', { up_to: 1 }).single()).data).toBe(1)
    expect(await refusal(rpc('numbers', { up_to: 2 }).single())).toEqual([406, 'PGRST116'])
  })

  it('gives a row', async () => {
    expect((await rpc('best')).data).toMatchObject({ id: 1, name: 'Harbour Café' })
    expect((await rpc('best').select('name')).data).toEqual({ name: 'Harbour Café' })
    expect((await rpc('split', { whole: 'abc' })).data).toEqual({ first: 'a', rest: 'bc' })
    expect((await rpc('best').eq('id', 9)).data).toBeNull()
  })

  it('gives rows, which are filtered, ordered and counted like a table', async () => {
    expect((await rpc('rated', {}).select('id').order('id', { ascending: false })).data).toEqual([
      { id: 2 },
      { id: 1 },
    ])
    expect((await rpc('rated', { minimum: 4 }).select('details->address->>city')).data).toEqual([
      { city: 'Leith' },
    ])
    expect((await rpc('rated').select('id').or('id.eq.2,id.eq.3')).data).toEqual([{ id: 2 }])
    expect((await rpc('rated', { minimum: 1 }, { get: true }).select('id').eq('open', true)).data).toEqual([
      { id: 1 },
    ])
    expect(await rpc('rated', {}, { count: 'exact', head: true })).toMatchObject({ count: 2, data: null })
    expect((await rpc('pairs', { n: 3 }).gt('square', 1).limit(1)).data).toEqual([{ number: 2, square: 4 }])
    expect((await rpc('pairs', { n: 1 }).single()).data).toEqual({ number: 1, square: 1 })
    expect(await refusal(rpc('pairs', { n: 1 }).eq('zip', 1))).toEqual([400, '42703'])
    expect(await refusal(rpc('add', { a: 1 }).select('a'))).toEqual([400, '42703'])
  })

  it('takes arrays, any JSON, and any number of words', async () => {
    expect((await rpc('joined', { words: ['a', 'b,"c'] })).data).toBe('a b,"c')
    expect((await rpc('joined', { words: ['a', 'b'], sep: '-' }, { get: true })).data).toBe('a-b')
    expect((await rpc('echo', { any: ['thing', 1] })).data).toEqual({ any: ['thing', 1] })
    expect((await rpc('echo', [1, 2])).data).toEqual([1, 2])
    expect((await rpc('longest', { words: ['a', 'bcd', 'e'] })).data).toBe('bcd')
  })

  it('cannot write when it is only read', async () => {
    expect(await refusal(rpc('note', { text: 'x' }, { get: true }))).toEqual([405, '25006'])
    expect((await rpc('note', { text: 'x' }, { head: true })).status).toBe(405)
    expect((await places.client.from('lines').select()).data).toEqual([])
  })

  it('is called once, however its result is counted', async () => {
    await places.backend.db.exec(`
      create or replace function public.tick() returns setof int language sql as
        $$ insert into public.lines values ('tick') returning 1 $$;
      grant execute on function public.tick() to service_role;
    `)
    expect(await rpc('tick', {}, { count: 'exact' })).toMatchObject({ count: 1, data: [1] })
    expect((await places.client.from('lines').select()).data).toHaveLength(1)
  })

  it('is taken back where its result is too much', async () => {
    expect(await rpc('numbers', { up_to: 3 }).maxAffected(2)).toMatchObject({
      status: 400,
      error: { code: 'PGRST124' },
    })
    expect(await rpc('note', { text: 'x' }).maxAffected(2)).toMatchObject({
      status: 400,
      error: { code: 'PGRST128' },
    })
    expect((await places.client.from('lines').select()).data).toEqual([])
  })

  it('says what it raises', async () => {
    expect(await rpc('fails')).toMatchObject({
      status: 418,
      error: { code: 'PT418', message: 'no luck', details: 'none', hint: 'try again' },
    })
  })

  it('that is unknown is not found', async () => {
    expect(await rpc('nobody', { b: 1, a: 2 })).toMatchObject({
      status: 404,
      error: {
        code: 'PGRST202',
        message: 'Could not find the function public.nobody(a, b) in the schema cache',
        details:
          'Searched for the function public.nobody with parameters a, b or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      },
    })
    expect(await rpc('nobody', {}, { get: true })).toMatchObject({
      error: { message: 'Could not find the function public.nobody without parameters in the schema cache' },
    })
  })

  it.each([
    ['too few arguments', 'add', {}],
    ['another argument', 'add', { a: 1, zip: 1 }],
    ['a function of a catalogue', 'pg_sleep', { seconds: 1 }],
    ['a function of a catalogue without arguments', 'version', {}],
    ['a function of another schema', 'inner_secret', {}],
    ['a name with a schema', 'hidden.inner_secret', {}],
    ['a trigger', 'trigger_function', {}],
    ['a function that gives any type', 'any_of', { v: 1 }],
    ['a function that takes any type', 'text_of', { v: 1 }],
    ['a procedure', 'a_procedure', {}],
    ['a name that is SQL', 'add(1,2);--', {}],
  ])('that does not fit is not found: %s', async (_, name, args) => {
    expect(await refusal(rpc(name, args))).toEqual([404, 'PGRST202'])
    if (Object.keys(args).length === 0)
      expect(await refusal(rpc(name, args, { get: true }))).toEqual([404, 'PGRST202'])
  })

  it('that is not unique is not chosen', async () => {
    expect(await refusal(rpc('kind', { v: 1 }))).toEqual([300, 'PGRST203'])
  })

  it('takes nothing of an argument for SQL', async () => {
    const text = `'; drop table public.lines; -- " $1 \\`
    expect((await rpc('joined', { words: [text], sep: text })).data).toBe(text)
    expect((await rpc('longest', { words: `{"x","y'); --"}` }, { get: true })).data).toBe(`y'); --`)
    expect(await refusal(rpc('add', { a: '1 or 1' }))).toEqual([400, '22P02'])
    expect(await refusal(rpc('add', { a: '1 or 1' }, { get: true }))).toEqual([400, '22P02'])
    expect(await refusal(rpc('add', { 'a" => 1) --': 1 }))).toEqual([404, 'PGRST202'])
  })

  it('must be the role’s to call', async () => {
    expect((await places.anon.rpc('add', { a: 1 })).data).toBe(11)
    expect(await refusal(places.anon.rpc('staff_only'))).toEqual([404, 'PGRST202'])
    // It may call this one, and may not do what it does.
    expect(await refusal(places.anon.rpc('note', { text: 'x' }))).toEqual([401, '42501'])
  })

  it('refuses a single object as its only argument, and bodies that are no JSON', async () => {
    const post = async (body: string, headers: Record<string, string>) => {
      const url = `${places.backend.url}/rest/v1/rpc/add`
      const answer = await fetch(url, { method: 'POST', body, headers: { apikey: KEYS.secret, ...headers } })
      return [answer.status, (await answer.json()).code]
    }
    const json = { 'content-type': 'application/json' }
    expect(await post('{"a":1}', { ...json, prefer: 'params=single-object' })).toEqual([400, 'PGRST127'])
    expect(await post('a', { 'content-type': 'text/plain' })).toEqual([415, 'PGRST102'])
    expect(await post('{', json)).toEqual([400, 'PGRST102'])
    expect(await post('7', json)).toEqual([404, 'PGRST202'])
  })
})
