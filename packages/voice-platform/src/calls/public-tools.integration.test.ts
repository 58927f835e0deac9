import { createServer, type Server } from 'node:http'
import type { Db } from '@heyline/database'
import type { Call, CreateAssistant } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ToolCall } from '../engines/engine.js'
import { listen, shut } from '../testing/local-server.js'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

let db: Db
/** The owner's own server, which knows people by their numbers and ids. */
let crm: Server
let url: string
let asked: string[]
let bench: PlatformBench
let engines: ScriptedEngines
beforeAll(async () => {
  db = await openPlatformDb()
  crm = createServer((request, response) => {
    asked.push(String(request.url))
    response.end(request.url === '/login' ? '{"customerId": "c-7"}' : '{}')
  })
  url = await listen(crm)
})
afterAll(async () => {
  await shut(crm)
  await db.close()
})
afterEach(() => bench.close())

const use = (name: string): Omit<ToolCall, 'id'> => ({ name, arguments: {} })
const learning = {
  variableExtractionPlan: {
    schema: { type: 'object', properties: { customerId: { type: 'string' } } },
    aliases: [{ key: 'caller', value: '{{customer.number}}' }],
  },
}
const request = (name: string, path: string, more = {}) => ({
  ...{ type: 'apiRequest', name, method: 'GET', url: `${url}${path}` },
  ...more,
})
const login = () => request('login', '/login', learning)
const orders = () => request('orders', '/{{shop}}/{{customer.number}}/{{caller}}/{{customerId}}')
const assistant = (tools: object[]): CreateAssistant =>
  ({
    name: 'Desk',
    firstMessage: 'Hello {{customer.number}} of {{shop}}, {{customerId}}.',
    model: {
      ...{ provider: 'openai', model: 'gpt-4o-mini', tools },
      messages: [{ role: 'system', content: 'You talk to {{customer.number}}, {{customerId}}.' }],
    },
  }) as CreateAssistant

/** What a page says of its visitor, and what it would like to be true. */
const CHOSEN = {
  variableValues: { shop: 'bakery', customerId: 'c-1234', customer: { number: '+12025550199' } },
}
const TOLD = 'You talk to +12025550199, c-1234.'

/** The model uses these tools, one with each reply; `''` is a reply that uses none, which ends an answer. */
async function start(tools: readonly string[]) {
  asked = []
  engines = new ScriptedEngines({ uses: tools.map((name) => (name ? [use(name)] : [])) })
  bench = await startPlatform(db, { engines, toolsAllowPrivate: true })
}
const post = async <Answer>(path: string, body: object, key: string): Promise<Answer> => {
  const response = await bench.request('POST', path, body, key)
  expect(response.status).toBeLessThan(300)
  return await response.json()
}
const store = async (tools: object[]) => (await bench.client.assistants.create(assistant(tools))).id
/** Somebody who says something in a call that this key begins. */
async function callBy(key: string, assistantId: string) {
  const call = await post<Call>('/call/web', { assistantId, assistantOverrides: CHOSEN }, key)
  const room = bench.openRoom(call.webCallUrl ?? '', [])
  await vi.waitFor(() => expect(engines.spoken).toEqual(['Hello +12025550199 of bakery, c-1234.']))
  room.socket.send('{"type":"add-message","message":{"role":"user","content":"My orders?"}}')
  return call
}
const toldToModel = () => engines.asked[0]?.messages[0]?.content

describe('a call that a page begins', () => {
  it('fills tools with nothing of the page’s as who the caller is, nor before a tool has learned it', async () => {
    await start(['orders', 'login', 'orders'])
    const call = await callBy(KEYS.public, await store([login(), orders()]))
    await vi.waitFor(() => expect(asked).toEqual(['/bakery///', '/login', '/bakery///c-7']))
    expect(toldToModel()).toBe(TOLD)
    expect(await bench.client.calls.get(call.id)).toMatchObject({ assistantOverrides: CHOSEN })
  })

  it('does so, too, where another assistant learns it, who takes over', async () => {
    await start(['orders'])
    const clerk = await store([login()])
    const handoff = { type: 'handoff', destinations: [{ type: 'assistant', assistantId: clerk }] }
    await callBy(KEYS.public, await store([orders(), handoff]))
    await vi.waitFor(() => expect(asked).toEqual(['/bakery///']))
  })
})

it('a call that a server begins fills tools with what that server says', async () => {
  await start(['orders'])
  await callBy(KEYS.private, await store([login(), orders()]))
  await vi.waitFor(() => expect(asked).toEqual(['/bakery/%2B12025550199//c-1234']))
})

describe('a chat', () => {
  const chat = (key: string, body: object = {}) =>
    post<{ id: string; sessionId: string }>('/chat/web', { input: 'My orders?', ...body }, key)

  it.each<[string, object]>([
    ['values', { assistantOverrides: CHOSEN }],
    ['customer', { customer: { number: '+12025550199', assistantOverrides: CHOSEN } }],
  ])('of a page fills tools with nothing of its %s as who the customer is', async (_, body) => {
    await start(['login', 'orders', '', 'orders'])
    const assistantId = await store([login(), orders()])
    const { sessionId } = await chat(KEYS.public, { assistantId, ...body })
    expect(asked).toEqual(['/login', '/bakery///c-7'])
    expect(toldToModel()).toBe(TOLD)
    // What was learned counts for its own answer alone.
    await chat(KEYS.public, { assistantId, sessionId, ...body })
    expect(asked).toEqual(['/login', '/bakery///c-7', '/bakery///'])
  })

  it('that goes on from a page’s has the page’s values as the page’s', async () => {
    await start(['', 'orders', '', 'orders'])
    const assistantId = await store([login(), orders()])
    const { id } = await chat(KEYS.public, { assistantId, assistantOverrides: CHOSEN })
    const next = await post<{ id: string }>('/chat', { previousChatId: id, input: 'And now?' }, KEYS.private)
    expect(asked).toEqual(['/bakery///'])
    const own = { previousChatId: next.id, input: 'And now?', assistantOverrides: CHOSEN }
    await post('/chat', own, KEYS.private)
    expect(asked).toEqual(['/bakery///', '/bakery/%2B12025550199//c-1234'])
  })

  it('of a server fills tools with what that server says', async () => {
    await start(['orders'])
    await chat(KEYS.private, { assistantId: await store([login(), orders()]), assistantOverrides: CHOSEN })
    expect(asked).toEqual(['/bakery/%2B12025550199//c-1234'])
  })
})
