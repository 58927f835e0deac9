import { describe, expect, it } from 'vitest'
import { operations, PlatformClient } from './index.js'
import { json, type LocalServer, startLocalServer } from './testing/local-server.js'

const startEcho = () => startLocalServer((_, response) => json(response, 200, { id: 'call-1' }))
const clientOf = (server: LocalServer, options = {}) =>
  new PlatformClient({ token: 'test-token', baseUrl: server.url, ...options })

describe('the operations on the wire', () => {
  const range = { limit: 2, createdAtGt: new Date(0), updatedAtLe: undefined }
  const cases: [
    name: string,
    send: (platform: PlatformClient) => Promise<unknown>,
    method: string,
    url: string,
    body?: object,
  ][] = [
    [
      'calls.create',
      (platform) => platform.calls.create({ assistantId: 'a', customer: { number: '+14155552671' } }),
      'POST',
      '/call',
      { assistantId: 'a', customer: { number: '+14155552671' } },
    ],
    [
      'calls.createWeb',
      (platform) =>
        platform.calls.createWeb({ assistantId: 'a', assistantOverrides: { firstMessage: 'Hi' } }),
      'POST',
      '/call/web',
      { assistantId: 'a', assistantOverrides: { firstMessage: 'Hi' } },
    ],
    [
      'calls.list',
      (platform) => platform.calls.list({ ...range, assistantId: 'a' }),
      'GET',
      '/call?limit=2&createdAtGt=1970-01-01T00%3A00%3A00.000Z&assistantId=a',
    ],
    ['calls.get', (platform) => platform.calls.get('a/../b?x=1#y'), 'GET', '/call/a%2F..%2Fb%3Fx%3D1%23y'],
    [
      'assistants.list',
      (platform) => platform.assistants.list(range),
      'GET',
      '/assistant?limit=2&createdAtGt=1970-01-01T00%3A00%3A00.000Z',
    ],
    [
      'assistants.create',
      (platform) => platform.assistants.create({ name: 'Front desk' }),
      'POST',
      '/assistant',
      { name: 'Front desk' },
    ],
  ]

  it.each(cases)('%s', async (_, send, method, url, body) => {
    await using server = await startEcho()
    expect(await send(clientOf(server))).toEqual({ id: 'call-1' })
    const [request] = server.requests
    expect(request).toMatchObject({ method, url })
    expect(request?.headers.authorization).toBe('Bearer test-token')
    expect(request?.headers['content-type']).toBe(body && 'application/json')
    expect(request?.body).toBe(body ? JSON.stringify(body) : '')
  })

  it('has a case for each row of the table', () => {
    expect(cases.map(([name]) => name).sort()).toEqual(
      operations.map((row) => `${row.resource}.${row.name}`).sort(),
    )
  })

  it('takes a signal after the arguments of any method', async () => {
    await using server = await startEcho()
    const options = { signal: AbortSignal.abort(new Error('not now')) }
    const platform = clientOf(server)
    await expect(platform.calls.get('call-1', options)).rejects.toThrow('not now')
    await expect(platform.calls.list({ limit: 1 }, options)).rejects.toThrow('not now')
    await expect(platform.calls.create({ assistantId: 'a' }, options)).rejects.toThrow('not now')
    expect(server.requests).toHaveLength(0)
  })
})

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

  it('refuses a query value that has no text', async () => {
    await using server = await startEcho()
    const sent = clientOf(server).request({ method: 'GET', path: '/call' }, { query: { filter: { a: 1 } } })
    await expect(sent).rejects.toMatchObject({ code: 'invalid_query' })
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
    expect(await platform.request({ method: 'DELETE', path: '/log' })).toBeUndefined()
    expect(await platform.request({ method: 'GET', path: '/v2/call/export' })).toBe('id,cost')
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
    { token: 't', retries: -1 },
  ])('refuses %j and does not show the token', (options) => {
    expect(() => new PlatformClient(options)).toThrow(TypeError)
    expect(() => new PlatformClient(options)).not.toThrow(/secret/)
  })
})
