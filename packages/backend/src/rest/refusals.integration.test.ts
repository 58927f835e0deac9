import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { KEYS, runBackend } from '../testing/running-backend.js'
import { runThings, type Things } from '../testing/things.js'

let things: Things
beforeAll(async () => {
  things = await runThings()
})
afterAll(() => things.backend.close())
beforeEach(() => things.reset())

describe('refusals', () => {
  const post = (body: string, headers: Record<string, string> = {}) => ({ method: 'POST', body, headers })
  it.each<[string, string, Parameters<Things['ask']>[1], number, string]>([
    ['no key', '/things', { headers: { apikey: '' } }, 401, 'PGRST302'],
    ['a wrong key', '/things', { headers: { apikey: 'x' } }, 401, 'PGRST301'],
    ['no table', '/', {}, 404, 'PGRST126'],
    ['an unknown table', '/nothing', {}, 404, 'PGRST205'],
    ['a table of a catalogue', '/pg_class', {}, 404, 'PGRST205'],
    ['a table of another schema', '/auth.users', {}, 404, 'PGRST205'],
    ['more path', '/things/1', {}, 404, 'PGRST125'],
    ['a path that does not decode', '/%zz', {}, 404, 'PGRST125'],
    ['a NUL in the path', '/things%00', {}, 400, '22021'],
    ['an unknown function', '/rpc/count_up', {}, 404, 'PGRST202'],
    ['a function of a catalogue', '/rpc/version', {}, 404, 'PGRST202'],
    ['a NUL in the name of a function', '/rpc/a%00', {}, 400, '22021'],
    ['a function that is put', '/rpc/add', { method: 'PUT', body: '{}' }, 405, 'PGRST117'],
    ['more path after a function', '/rpc/add/1', {}, 404, 'PGRST125'],
    ['another schema', '/things', { headers: { 'accept-profile': 'auth' } }, 406, 'PGRST106'],
    ['another schema to write', '/things', post('{}', { 'content-profile': 'auth' }), 406, 'PGRST106'],
    ['an unknown column', '/things?select=zip', {}, 400, '42703'],
    ['an unknown column in a filter', '/things?zip=eq.1', {}, 400, '42703'],
    ['an unknown column in the order', '/things?order=zip', {}, 400, '42703'],
    ['a system column', '/things?select=ctid', {}, 400, '42703'],
    ['the row as a column', '/things?select=things', {}, 400, '42703'],
    ['a function of the row', '/things?select=row_to_json', {}, 400, '42703'],
    ['an aggregate by name', '/things?select=count', {}, 400, '42703'],
    ['embedding', '/things?select=id,others(*)', {}, 400, 'PGRST127'],
    ['spread embedding', '/things?select=...others(*)', {}, 400, 'PGRST127'],
    ['an aggregate', '/things?select=id.sum()', {}, 400, 'PGRST127'],
    ['a long path into JSON', `/things?select=data${'->a'.repeat(21)}`, {}, 400, 'PGRST127'],
    ['a long path into JSON in a filter', `/things?data${'->0'.repeat(2000)}=eq.1`, {}, 400, 'PGRST127'],
    ['a path into the JSON of an unknown column', '/things?order=zip->a', {}, 400, '42703'],
    ['a NUL in a path into JSON', '/things?data->>%22%00%22=eq.1', {}, 400, '22021'],
    ['a NUL in a name of the answer', '/things?select=data->%22%00%22', {}, 400, 'PGRST100'],
    ['a cast that looks things up', '/things?select=name::regclass', {}, 400, 'PGRST127'],
    ['or without conditions', '/things?or=()', {}, 400, 'PGRST100'],
    ['a deep tree', `/things?or=${'(or'.repeat(2000)}`, {}, 400, 'PGRST127'],
    ['an unknown column in a tree', '/things?not.and=(id.eq.1,zip.eq.1)', {}, 400, '42703'],
    ['a pattern that is none', '/things?name=match.(', {}, 400, '2201B'],
    ['full text search', '/things?name=plfts(english).x', {}, 400, 'PGRST127'],
    ['any of what is no array', '/things?name=like(any).x', {}, 400, '22P02'],
    ['any where it has no meaning', '/things?name=neq(any).{x}', {}, 400, 'PGRST100'],
    ['a filter on another table', '/things?others.id=eq.1', {}, 400, 'PGRST127'],
    ['a filter that does not read', '/things?id=1', {}, 400, 'PGRST100'],
    ['an operator that is none', '/things?id=foo.1', {}, 400, 'PGRST100'],
    ['a state that is none', '/things?id=is.1', {}, 400, 'PGRST100'],
    ['a list that is none', '/things?id=in.1', {}, 400, 'PGRST100'],
    ['a limit that is no number', '/things?limit=x', {}, 400, 'PGRST100'],
    ['a selection that does not read', '/things?select=a:b:c', {}, 400, 'PGRST100'],
    ['an order that does not read', '/things?order=.', {}, 400, 'PGRST100'],
    ['a value of another type', '/things?id=eq.x', {}, 400, '22P02'],
    ['a number that is too large', '/things?id=eq.99999999999999999999', {}, 400, '22003'],
    ['a NUL in a value', '/things?name=eq.%00', {}, 400, '22021'],
    ['a pattern that ends in its escape', '/things?name=like.on%5C', {}, 400, '22025'],
    ['an operator that the type has not', '/things?id=like.1', {}, 404, '42883'],
    ['CSV', '/things', { headers: { accept: 'text/csv' } }, 406, 'PGRST107'],
    ['a query plan', '/things', { headers: { accept: 'application/vnd.pgrst.plan' } }, 406, 'PGRST107'],
    ['PUT', '/things?id=eq.1', { method: 'PUT', body: '{}' }, 400, 'PGRST127'],
    ['another method', '/things', { method: 'REPORT' }, 405, 'PGRST117'],
    ['on_conflict without a resolution', '/things?on_conflict=id', post('{"id":1}'), 409, '23505'],
    ['on_conflict of an unknown column', '/things?on_conflict=zip', post('{"id":1}'), 400, '42703'],
    ['on_conflict that does not read', '/things?on_conflict=id,', post('{"id":1}'), 400, 'PGRST100'],
    [
      'an upsert of rows that meet each other',
      '/things',
      post('[{"id":9},{"id":9}]', { prefer: 'resolution=merge-duplicates' }),
      400,
      '21000',
    ],
    [
      'defaults for missing keys',
      '/things',
      post('{"id":9}', { prefer: 'missing=default' }),
      400,
      'PGRST127',
    ],
    [
      'one object as the only argument',
      '/rpc/add',
      post('{}', { prefer: 'params=single-object' }),
      400,
      'PGRST127',
    ],
    ['a rollback', '/things', post('{"id":9}', { prefer: 'tx=rollback' }), 400, 'PGRST127'],
    ['a preference of nobody', '/things', { headers: { prefer: 'handling=strict, x=y' } }, 400, 'PGRST122'],
    ['order on a write', '/things?order=id', { method: 'DELETE' }, 400, 'PGRST127'],
    ['a body that is no JSON', '/things', post('{'), 400, 'PGRST102'],
    ['no body', '/things', { method: 'POST' }, 400, 'PGRST102'],
    ['a body that is no object', '/things', post('7'), 400, 'PGRST102'],
    ['rows that are no objects', '/things', post('[null]'), 400, 'PGRST102'],
    ['a list as an update', '/things?id=eq.1', { method: 'PATCH', body: '[{"id":1}]' }, 400, 'PGRST102'],
    [
      'a body that is no JSON by its name',
      '/things',
      post('id\n1', { 'content-type': 'text/csv' }),
      415,
      'PGRST102',
    ],
    [
      'a body that is deep',
      '/things',
      post(`{"data":${'['.repeat(200)}${']'.repeat(200)}}`),
      400,
      'PGRST102',
    ],
    ['a body that is large', '/things', post(`{"name":"${'x'.repeat(1_000_000)}"}`), 413, 'PGRST102'],
    ['an unknown column to write', '/things', post('{"zip":1}'), 400, 'PGRST204'],
    ['a NUL to write', '/things', post('{"id":9,"name":"\\u0000"}'), 400, '22P05'],
    ['half a character to write', '/things', post('{"id":9,"name":"\\ud800"}'), 400, '22P02'],
    ['a row that is there', '/things', post('{"id":1}'), 409, '23505'],
    ['a null where none may be', '/things', post('{"id":null}'), 400, '23502'],
  ])('%s', async (_, path, init, status, code) => {
    expect(await things.refusal(path, init)).toEqual([status, code])
  })

  it('say who may ask where nobody may', async () => {
    expect((await things.ask('/things', { headers: { apikey: '' } })).headers.get('www-authenticate')).toBe(
      'Bearer',
    )
    const denied = await things.ask('/things?select=secret', { headers: { apikey: KEYS.publishable } })
    expect([denied.status, denied.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('name the column as PostgREST does', async () => {
    expect((await things.table().select('zip')).error?.message).toBe('column things.zip does not exist')
  })
})

describe('a database that is gone', () => {
  it('is 503 and one line in the log, and says nothing of the inside', async () => {
    const other = await runBackend()
    await other.db.close()
    const headers = { apikey: KEYS.publishable }
    const answer = await fetch(`${other.url}/rest/v1/visitors`, { headers })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({
      code: 'PGRST001',
      details: null,
      hint: null,
      message: 'Database client error. Retrying the connection.',
    })
    expect(other.log).toHaveLength(1)
    expect(JSON.stringify(other.log)).not.toContain(KEYS.publishable)
    await other.close()
  })
})
