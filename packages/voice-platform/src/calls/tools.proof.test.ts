import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Db } from '@heyline/database'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => void

let db: Db
let server: Server
let url: string
let handler: Handler
let received: { request: IncomingMessage; body: string }[]
let bench: PlatformBench | undefined
beforeAll(async () => {
  db = await openPlatformDb()
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ request, body })
    handler(request, body, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await db.close()
})
beforeEach(() => {
  received = []
})
afterEach(() => bench?.close())

const answers =
  (answer: object | string, status = 200, headers: Record<string, string> = {}): Handler =>
  (_request, _body, response) => {
    response.writeHead(status, headers).end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }
const functionTool = () => ({
  type: 'function',
  function: {
    name: 'weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
  server: { url: `${url}/weather`, secret: 'tool-secret', headers: { 'x-team': 'blue' } },
})

/** A browser call whose model uses a tool at once; resolves with what the model reads of its result. */
async function used(
  tool: object,
  {
    args = { city: 'Oslo' },
    name = 'weather',
    allow = true,
    model = {},
  }: Partial<{
    args: Record<string, unknown>
    name: string
    allow: boolean
    model: object
  }> = {},
) {
  const engines = new ScriptedEngines({
    replies: [['Let me look.'], ['There.']],
    uses: [[{ id: 'call-1', name, arguments: args }]],
  })
  bench = await startPlatform(db, { engines, toolsAllowPrivate: allow })
  const response = await bench.request('POST', '/call/web', {
    assistant: {
      firstMessageMode: 'assistant-speaks-first-with-model-generated-message',
      model: { provider: 'openai', model: 'gpt-4o-mini', tools: [tool], ...model },
    },
  })
  expect(response.status).toBe(201)
  const call = (await response.json()) as { id: string; webCallUrl: string }
  const room = bench.openRoom(call.webCallUrl)
  await vi.waitFor(() => expect(engines.asked).toHaveLength(2), { timeout: 8_000 })
  room.socket.send('{"type":"room.leave"}')
  await room.closed
  const result = engines.asked[1]?.messages.find(({ role }) => role === 'tool')?.content
  return { callId: call.id, result, engines, texts: room.texts }
}

describe('a function tool', () => {
  it('asks its server as the API has it, and the model reads the result', async () => {
    handler = answers({ results: [{ toolCallId: 'call-1', result: { sky: 'rain' } }] })
    const { callId, result, engines, texts } = await used(functionTool())
    expect(result).toBe('{"sky":"rain"}')
    expect(engines.asked[0]?.options.tools).toEqual([functionTool().function])
    const [{ request, body } = { request: undefined, body: '' }] = received
    expect(request?.headers).toMatchObject({ 'x-vapi-secret': 'tool-secret', 'x-team': 'blue' })
    const { message } = JSON.parse(body)
    const toolCall = {
      id: 'call-1',
      type: 'function',
      function: { name: 'weather', arguments: '{"city":"Oslo"}' },
    }
    expect(message).toMatchObject({
      type: 'tool-calls',
      toolCallList: [toolCall],
      toolWithToolCallList: [{ type: 'function', toolCall }],
      call: { id: callId },
    })
    expect(body).not.toContain('tool-secret')
    expect(texts.find(({ type }) => type === 'tool-calls')).toMatchObject({ toolCallList: [toolCall] })
    expect(JSON.stringify(texts)).not.toContain('tool-secret')
  })

  it.each<[string, Handler, RegExp]>([
    ['another id', answers({ results: [{ toolCallId: 'call-2', result: 'x' }] }), /no result for this call/],
    ['no JSON', answers('<html>'), /not what a tool answers/],
    ['a failure', answers('down', 500), /answered 500/],
    ['a redirect', answers('', 302, { location: 'http://169.254.169.254/' }), /redirects/],
    ['an error', answers({ results: [{ toolCallId: 'call-1', error: 'No such city.' }] }), /No such city/],
    ['nothing', (_request, _body, response) => response.destroy(), /could not be reached/],
    [
      'far too much',
      (_request, _body, response) => {
        response.writeHead(200)
        const fill = () => {
          while (response.write(Buffer.alloc(65_536, 'x')));
          response.once('drain', fill)
        }
        response.on('error', () => {})
        fill()
      },
      /not what a tool answers/,
    ],
  ])('whose server answers with %s tells the model so', async (_, answer, error) => {
    handler = answer
    expect((await used(functionTool())).result).toMatch(error)
  })

  it('that hangs is given up after its time', async () => {
    handler = () => {}
    const { server: at, ...tool } = functionTool()
    const { result } = await used({ ...tool, server: { ...at, timeoutSeconds: 1 } })
    expect(result).toContain('did not answer within 1 seconds')
  })

  it('asks no private network, unless that is permitted', async () => {
    handler = answers({ results: [{ toolCallId: 'call-1', result: 'x' }] })
    expect((await used(functionTool(), { allow: false })).result).toContain('not permitted')
    expect(received).toEqual([])
  })
})

describe('an API request', () => {
  const tool = () => ({
    type: 'apiRequest',
    name: 'book',
    method: 'POST',
    url: `${url}/book/{{city}}/now`,
    headers: { type: 'object', properties: { authorization: { type: 'string', value: 'Bearer abc' } } },
    body: {
      type: 'object',
      properties: { city: { type: 'string' }, via: { type: 'string', value: 'phone' } },
      required: ['city'],
    },
  })

  it('has its address, headers and body, and the model reads the answer', async () => {
    handler = answers('booked')
    const { result, engines } = await used(tool(), { name: 'book' })
    expect(result).toBe('booked')
    expect(engines.asked[0]?.options.tools?.[0]?.parameters).toMatchObject({
      properties: { city: { type: 'string' } },
    })
    expect(received[0]?.request.url).toBe('/book/Oslo/now')
    expect(received[0]?.request.headers.authorization).toBe('Bearer abc')
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ city: 'Oslo', via: 'phone' })
  })

  it.each<[unknown, string]>([
    ['../../admin?x=', '/book/..%2F..%2Fadmin%3Fx%3D/now'],
    ['..', '/book//now'],
    // No text, as its schema says.
    [{ '/../../admin?x=': ['/../..'] }, '/book//now'],
  ])('stays at its path, whatever the model says: %s', async (city, path) => {
    handler = answers('ok')
    await used(tool(), { name: 'book', args: { city } })
    expect(received[0]?.request.url).toBe(path)
  })

  it('asks nothing where a value would cut off the end of its address', async () => {
    const { result } = await used(tool(), { name: 'book', args: { city: 'o'.repeat(3_000) } })
    expect(result).toContain('not permitted')
    expect(received).toEqual([])
  })
})

it('what a tool answers is a variable of the call, in other tools and in its record', async () => {
  handler = answers({ customer: { number: 17 }, secret: 'no' })
  const target = { type: 'number', target: 'customerNumber' }
  const customer = { type: 'object', properties: { number: target } }
  const find = {
    ...{ type: 'apiRequest', name: 'find', method: 'POST', url: `${url}/find` },
    variableExtractionPlan: { schema: { type: 'object', properties: { customer } } },
  }
  const orders = {
    ...{ type: 'apiRequest', name: 'orders', method: 'GET', url: `${url}/orders/{{customerNumber}}` },
  }
  const engines = new ScriptedEngines({
    replies: [['Let me look.'], ['And now.'], ['There.']],
    uses: [[{ id: 'a', name: 'find', arguments: {} }], [{ id: 'b', name: 'orders', arguments: {} }]],
  })
  const platform = await startPlatform(db, { engines, toolsAllowPrivate: true })
  bench = platform
  const response = await platform.request('POST', '/call/web', {
    assistant: {
      firstMessageMode: 'assistant-speaks-first-with-model-generated-message',
      model: { provider: 'openai', model: 'gpt-4o-mini', tools: [find, orders] },
    },
  })
  const call = (await response.json()) as { id: string; webCallUrl: string }
  const room = platform.openRoom(call.webCallUrl)
  await vi.waitFor(() => expect(engines.asked).toHaveLength(3), { timeout: 30_000 })
  room.socket.send('{"type":"room.leave"}')
  await room.closed
  expect(received.map(({ request }) => request.url)).toEqual(['/find', '/orders/17'])
  await vi.waitFor(async () => {
    const { artifact } = (await (await platform.request('GET', `/call/${call.id}`)).json()) as {
      artifact?: { variables?: object }
    }
    expect(artifact?.variables).toEqual({ customer: { number: 17 }, customerNumber: 17 })
  })
})

it('a stored tool is used with its secrets', async () => {
  handler = answers({ results: [{ toolCallId: 'call-1', result: 'rain' }] })
  const engines = new ScriptedEngines({
    replies: [['Let me look.'], ['There.']],
    uses: [[{ id: 'call-1', name: 'weather', arguments: {} }]],
  })
  bench = await startPlatform(db, { engines, toolsAllowPrivate: true, resourcesKey: Buffer.alloc(32, 7) })
  const { id } = (await (await bench.request('POST', '/tool', functionTool())).json()) as { id: string }
  const response = await bench.request('POST', '/call/web', {
    assistant: {
      firstMessageMode: 'assistant-speaks-first-with-model-generated-message',
      model: { provider: 'openai', model: 'gpt-4o-mini', toolIds: [id] },
    },
  })
  const call = (await response.json()) as { webCallUrl: string }
  const room = bench.openRoom(call.webCallUrl)
  await vi.waitFor(() => expect(engines.asked).toHaveLength(2), { timeout: 8_000 })
  room.socket.send('{"type":"room.leave"}')
  await room.closed
  expect(received[0]?.request.headers).toMatchObject({ 'x-vapi-secret': 'tool-secret', 'x-team': 'blue' })
  expect(received[0]?.body).not.toContain('tool-secret')
})
