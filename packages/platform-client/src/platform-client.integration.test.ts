import { describe, expect, it } from 'vitest'
import { PlatformClient } from './index.js'
import { json, type LocalServer, startLocalServer } from './testing/local-server.js'

const startEcho = () => startLocalServer((_, response) => json(response, 200, { id: 'call-1' }))
const clientOf = (server: LocalServer, options = {}) =>
  new PlatformClient({ token: 'test-token', baseUrl: server.url, ...options })

describe('request', () => {
  it('sends an operation that the table does not have', async () => {
    await using server = await startEcho()
    const query = { columns: ['a', 'b'], since: null, on: true }
    await clientOf(server).request({ method: 'GET', path: '/org/{id}/user' }, { path: { id: 7 }, query })
    expect(server.requests[0]?.url).toBe('/org/7/user?columns=a&columns=b&on=true')
  })

  it('sends no authorisation where the operation has none', async () => {
    await using server = await startEcho()
    await clientOf(server).request(
      { method: 'POST', path: '/credential/webhook', auth: 'none' },
      { body: {} },
    )
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it.each([undefined, '', '.', '..'])('refuses the path value %j before the network', async (id) => {
    await using server = await startEcho()
    const sent = clientOf(server).calls.get(id as string)
    await expect(sent).rejects.toMatchObject({ name: 'InvalidRequestError', code: 'invalid_path_parameter' })
    expect(server.requests).toHaveLength(0)
  })

  it('writes dates as ISO 8601 and other objects as JSON in a query', async () => {
    await using server = await startEcho()
    const query = { since: new Date(0), assistantOverrides: { name: 'A & B' } }
    await clientOf(server).request({ method: 'GET', path: '/v2/call' }, { query })
    const { searchParams } = new URL(String(server.requests[0]?.url), server.url)
    expect(Object.fromEntries(searchParams)).toEqual({
      since: '1970-01-01T00:00:00.000Z',
      assistantOverrides: '{"name":"A & B"}',
    })
  })

  it.each([
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['an invalid date', new Date(Number.NaN)],
    ['a big integer in an object', { n: 1n }],
  ])('refuses %s in a query before the network', async (_, filter) => {
    await using server = await startEcho()
    const sent = clientOf(server).request({ method: 'GET', path: '/call' }, { query: { filter } })
    await expect(sent).rejects.toMatchObject({ name: 'InvalidRequestError', code: 'invalid_query' })
    expect(server.requests).toHaveLength(0)
  })

  it('takes a query that is one already', async () => {
    await using server = await startEcho()
    const query = new URLSearchParams('a=1&a=2')
    await clientOf(server).request({ method: 'GET', path: '/call' }, { query })
    expect(server.requests[0]?.url).toBe('/call?a=1&a=2')
  })

  it('refuses an id that is half a character', async () => {
    await using server = await startEcho()
    const sent = clientOf(server).calls.get('\ud800')
    await expect(sent).rejects.toMatchObject({ code: 'invalid_path_parameter' })
  })

  it.each([
    ['POST', () => 1],
    [
      'POST',
      {
        toJSON: () => {
          throw new Error('+14155552671')
        },
      },
    ],
    ['GET', { a: 1 }],
  ] as const)('refuses a body of %s that cannot be sent, and does not show it', async (method, body) => {
    await using server = await startEcho()
    const error = await clientOf(server)
      .request({ method, path: '/call' }, { body })
      .catch((caught) => caught)
    expect(error).toMatchObject({ name: 'InvalidRequestError', code: 'invalid_body' })
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/4155552671/)
    expect(server.requests).toHaveLength(0)
  })

  it('refuses a body that is not JSON', async () => {
    await using server = await startEcho()
    const body: Record<string, unknown> = {}
    body.self = body
    const sent = clientOf(server).request({ method: 'POST', path: '/call' }, { body })
    await expect(sent).rejects.toMatchObject({ code: 'invalid_body' })
  })

  it('resolves with undefined for 204 and with the text of a text', async () => {
    await using server = await startLocalServer((_, response, count) => {
      if (count === 1) response.writeHead(204).end()
      else response.writeHead(200, { 'content-type': 'text/csv' }).end('id,cost')
    })
    const platform = clientOf(server)
    expect(await platform.callLogs.delete({ callId: 'a' })).toBeUndefined()
    expect(await platform.calls.export({ columns: ['id', 'cost'] })).toBe('id,cost')
    expect(server.requests[1]?.url).toBe('/v2/call/export?columns=id&columns=cost')
  })

  it('does not mind what an answer is that nobody reads', async () => {
    await using server = await startLocalServer((request, response) => {
      const text = request.url.startsWith('/log') ? 'OK' : ''
      response.writeHead(200, { 'content-type': 'text/html' }).end(text)
    })
    const platform = clientOf(server)
    expect(await platform.callLogs.delete({ callId: 'a' })).toBeUndefined()
    expect(await platform.assistants.delete('a')).toBeUndefined()
  })

  it('reads an answer that does not say what it is', async () => {
    await using server = await startLocalServer((_, response, count) => {
      response.end(count === 1 ? '[1]' : 'plain')
    })
    const platform = clientOf(server)
    expect(await platform.request({ method: 'GET', path: '/call' })).toEqual([1])
    expect(await platform.request({ method: 'GET', path: '/call' })).toBe('plain')
  })

  it.each([
    ['text/html', '<p>Welcome</p>'],
    ['application/json', '{"id": '],
  ])('refuses a good status with %s %s', async (type, body) => {
    await using server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    await expect(clientOf(server).calls.list()).rejects.toMatchObject({
      code: 'invalid_response',
      status: 200,
    })
  })
})

describe('the options', () => {
  it('tolerates slashes at the end of the base URL', async () => {
    await using server = await startEcho()
    await new PlatformClient({ token: 't', baseUrl: `${server.url}/-/platform//` }).calls.get('1')
    expect(server.requests[0]?.url).toBe('/-/platform/call/1')
  })

  it("defaults to the platform's public API", async () => {
    const urls: string[] = []
    const fetch = async (url: unknown) => {
      urls.push(String(url))
      return Response.json([])
    }
    await new PlatformClient({ token: 't', fetch }).calls.list()
    expect(urls).toEqual(['https://api.vapi.ai/call'])
  })

  it('keeps two clients apart', async () => {
    await using server = await startEcho()
    const first = new PlatformClient({ token: 'first', baseUrl: server.url })
    const second = new PlatformClient({ token: 'second', baseUrl: server.url })
    await first.calls.get('1')
    await second.calls.get('1')
    expect(server.requests.map((request) => request.headers.authorization)).toEqual([
      'Bearer first',
      'Bearer second',
    ])
  })

  it.each([
    { token: '' },
    { token: 'secret\nvalue' },
    { token: 't', timeoutMs: 0 },
    { token: 't', timeoutMs: 2 ** 31 },
    { token: 't', retries: -1 },
    { token: undefined },
    { token: 42 },
    { token: 't', baseUrl: 'secret' },
    { token: 't', baseUrl: 'ftp://secret.example' },
    { token: 't', baseUrl: 'https://api.example?key=secret' },
  ])('refuses %j and does not show the token', (options) => {
    const make = () => Reflect.construct(PlatformClient, [options])
    expect(make).toThrow(TypeError)
    expect(make).not.toThrow(/secret/)
  })
})
