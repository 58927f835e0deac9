import { describe, expect, it } from 'vitest'
import { operations, PlatformClient } from '../index.js'
import { collect } from '../testing/collect.js'
import { json, type LocalServer, type SeenRequest, startLocalServer } from '../testing/local-server.js'
import facts from '../testing/platform-operations.json' with { type: 'json' }

type Method = (...input: unknown[]) => Promise<unknown> & AsyncGenerator<unknown>

const key = (operation: { method: string; path: string }) => `${operation.method} ${operation.path}`

/** A method of the client by its names in the table. */
function methodOf(platform: PlatformClient, resource: string, name: string): Method {
  const found = [...resource.split('.'), name].reduce<unknown>(
    (place, part) => Reflect.get(Object(place), part),
    platform,
  )
  if (typeof found !== 'function') throw new TypeError(`No method ${resource}.${name}`)
  return (...input) => Reflect.apply(found, undefined, input)
}

const startEcho = () => startLocalServer((_, response) => json(response, 200, { id: 'one' }))
const clientOf = (server: LocalServer) => new PlatformClient({ token: 'test-token', baseUrl: server.url })

/** The form that a request carries. */
const formOf = ({ body, headers }: SeenRequest) =>
  new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()

describe('the table', () => {
  it('has the 135 operations of the platform, each once', () => {
    expect(facts).toHaveLength(135)
    expect(operations.map(key).sort()).toEqual(facts.map(key).sort())
  })

  it('gives no name twice', () => {
    const names = operations.flatMap(({ resource, name, pages, stream }) =>
      [name, pages, stream].filter(Boolean).map((method) => `${resource}.${method}`),
    )
    expect(new Set(names).size).toBe(names.length)
  })
})

const cases = facts.map((fact) => {
  const operation = operations.find((row) => key(row) === key(fact))
  if (!operation) throw new Error(`${key(fact)} is not in the table`)
  const ids = fact.pathParams.map((_, index) => `id ${index}/?#`)
  const path = fact.pathParams.reduce(
    (filled, parameter, index) => filled.replace(`{${parameter}}`, encodeURIComponent(ids[index] ?? '')),
    fact.path,
  )
  const { resource, name, pages, stream } = operation
  return {
    fact,
    operation,
    ids,
    path,
    resource,
    name,
    pages,
    stream,
    method: fact.method,
    is: `${resource}.${name}`,
  }
})

describe.each(cases)('$method $fact.path', ({ fact, operation, ids, path, resource, name, is }) => {
  it(`is ${is}, as the platform has it`, () => {
    expect(operation).toMatchObject({ body: fact.body, auth: fact.auth, deprecated: fact.deprecated })
    expect([...operation.query].sort()).toEqual([...fact.query].sort())
    expect(Array.from(fact.path.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter)).toEqual(
      fact.pathParams,
    )
  })

  it('goes over the wire so', async () => {
    await using server = await startEcho()
    const query = Object.fromEntries(fact.query.map((parameter) => [parameter, `${parameter} & more`]))
    const given = { name: 'Front desk', extra: { rings: 3 } }
    const file = new File(['hello'], 'greeting.txt', { type: 'text/plain' })
    const body = fact.body === 'multipart' ? { ...given, file } : given
    const input = fact.body === 'none' ? (fact.query.length > 0 ? [query] : []) : [body]
    const answer = await methodOf(clientOf(server), resource, name)(...ids, ...input, {})

    expect(server.requests).toHaveLength(1)
    const [request] = server.requests
    if (!request) throw new Error('nothing was sent')
    const url = new URL(request.url, server.url)
    expect(request.method).toBe(fact.method)
    expect(url.pathname).toBe(path)
    expect(Object.fromEntries(url.searchParams)).toEqual(query)
    expect(request.headers.authorization).toBe(fact.auth === 'none' ? undefined : 'Bearer test-token')
    expect(answer).toEqual({ json: { id: 'one' }, text: '{"id":"one"}', none: undefined }[operation.answer])
    if (fact.body === 'none') {
      expect(request.body).toBe('')
      expect(request.headers['content-type']).toBeUndefined()
    } else if (fact.body === 'json') {
      expect(request.headers['content-type']).toBe('application/json')
      const stream = operation.streamsByDefault ? { stream: false } : {}
      expect(JSON.parse(request.body)).toEqual({ ...given, ...stream })
    } else {
      const form = await formOf(request)
      expect(Object.fromEntries([...form].filter(([field]) => field !== 'file'))).toEqual({
        name: 'Front desk',
        extra: '{"rings":3}',
      })
      expect(form.get('file')).toMatchObject({ name: 'greeting.txt', type: 'text/plain', size: 5 })
    }
  })

  it('takes a signal after its arguments', async () => {
    await using server = await startEcho()
    const input = fact.body === 'none' && fact.query.length === 0 ? [] : [{}]
    const options = { signal: AbortSignal.abort(new Error('not now')) }
    const sent = methodOf(clientOf(server), resource, name)(...ids, ...input, options)
    await expect(sent).rejects.toThrow('not now')
    expect(server.requests).toHaveLength(0)
  })
})

describe.each(cases.filter(({ ids }) => ids.length > 0))('$is', ({ ids, resource, name }) => {
  it.each([undefined, null, '', '.', '..', Number.NaN])('is not sent with the id %j', async (id) => {
    await using server = await startEcho()
    const sent = methodOf(clientOf(server), resource, name)(...ids.slice(1), id, {})
    await expect(sent).rejects.toMatchObject({ name: 'InvalidRequestError', code: 'invalid_path_parameter' })
    expect(server.requests).toHaveLength(0)
  })
})

describe.each(cases.filter(({ pages }) => pages))(
  '$resource.$pages',
  ({ fact, ids, pages, path, resource }) => {
    const walk = (server: LocalServer) =>
      methodOf(clientOf(server), resource, String(pages))(...ids, { limit: 1 })

    it('walks from page to page', async () => {
      const isByState = fact.query.includes('pageState')
      await using server = await startLocalServer((_, response, count) =>
        json(response, 200, {
          results: [{ id: count }],
          ...(isByState
            ? { nextPageState: count < 3 ? `state ${count}` : undefined }
            : { metadata: { itemsPerPage: 1, totalItems: 3, currentPage: count } }),
        }),
      )
      expect(await collect(walk(server))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
      const urls = server.requests.map(({ url }) => new URL(url, server.url))
      expect(urls.map(({ pathname }) => pathname)).toEqual([path, path, path])
      expect(urls.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual(
        isByState
          ? [{ limit: '1' }, { limit: '1', pageState: 'state 1' }, { limit: '1', pageState: 'state 2' }]
          : [{ limit: '1' }, { limit: '1', page: '2' }, { limit: '1', page: '3' }],
      )
    })
  },
)

describe.each(cases.filter(({ stream }) => stream))('$resource.$stream', ({ resource, stream }) => {
  it('asks for a stream and gives its events', async () => {
    await using server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('data: {"delta":"Hel"}\n\ndata: {"delta":"lo"}\n\n')
    })
    const events = methodOf(clientOf(server), resource, String(stream))({ input: 'Hi' })
    expect(await collect(events)).toEqual([{ delta: 'Hel' }, { delta: 'lo' }])
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.headers.accept).toBe('text/event-stream')
    expect(JSON.parse(String(server.requests[0]?.body))).toEqual({ input: 'Hi', stream: true })
  })
})
