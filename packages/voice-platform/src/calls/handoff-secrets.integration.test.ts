import { createServer, type Server } from 'node:http'
import type { Db } from '@heyline/database'
import type { Call } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { listen, shut } from '../testing/local-server.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

let db: Db
let server: Server
let url: string
let bench: PlatformBench
/** The keys that the developer's server was asked with. */
let keys: (string | undefined)[]
beforeAll(async () => {
  db = await openPlatformDb()
  server = createServer((request, response) => {
    keys.push(request.headers.authorization)
    response.end('{}')
  })
  url = await listen(server)
})
beforeEach(async () => {
  keys = []
  const engines = new ScriptedEngines({
    replies: [[''], [''], ['Done.']],
    uses: [[{ name: 'handoff', arguments: { destination: 'Bella' } }], [{ name: 'crm', arguments: {} }]],
  })
  bench = await startPlatform(db, { engines, toolsAllowPrivate: true, resourcesKey: Buffer.alloc(32, 7) })
})
afterEach(() => bench.close())
afterAll(async () => {
  await shut(server)
  await db.close()
})

const asked = async (method: string, path: string, body?: unknown) => {
  const response = await bench.request(method, path, body)
  return { status: response.status, body: await response.json() }
}
const named = (name: string, model: object) => ({
  name,
  model: { provider: 'openai', model: 'gpt-4o-mini', messages: [], ...model },
  firstMessageMode: 'assistant-speaks-first-with-model-generated-message',
})
/** A tool that hands over to an assistant, whose own tool has a key. */
const handoff = () => {
  const headers = { type: 'object', properties: { authorization: { type: 'string', value: 'Bearer hush' } } }
  const crm = { type: 'apiRequest', name: 'crm', method: 'GET', url: `${url}/crm`, headers }
  return {
    type: 'handoff',
    destinations: [
      { type: 'assistant', assistantName: 'Bella', assistant: named('Bella', { tools: [crm] }) },
    ],
  }
}
const shownTwice = async (path: string, body: object) => {
  const made = await asked('POST', path, body)
  expect(made.status).toBe(201)
  const of = `${path}/${made.body.id}`
  const answers = [made, await asked('GET', of), await asked('GET', path)]
  // What comes back as it was shown keeps its keys.
  const { id, orgId, createdAt, updatedAt, ...settings } = made.body
  answers.push(await asked('PATCH', of, settings))
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200])
  expect(JSON.stringify(answers)).not.toMatch(/hush|sealedSecrets/)
  return made.body.id
}
/** Whatever is stored of calls, assistants, their versions and tools. */
const rows = async () =>
  JSON.stringify(
    await db.query(
      `select c::text from voice_platform.calls c union all select a::text from voice_platform.assistants a
       union all select v::text from voice_platform.assistant_versions v union all select r::text from voice_platform.resources r`,
    ),
  )

it.each<[string, () => Promise<object>]>([
  ['given with the call', async () => ({ assistant: named('Anna', { tools: [handoff()] }) })],
  [
    'of a stored assistant',
    async () => ({ assistantId: await shownTwice('/assistant', named('Anna', { tools: [handoff()] })) }),
  ],
  [
    'that is stored by itself',
    async () => ({ assistant: named('Anna', { toolIds: [await shownTwice('/tool', handoff())] }) }),
  ],
])('the key of a tool behind a handoff %s is used, and neither stored open nor shown', async (_, speaker) => {
  const transport = { provider: 'vapi.websocket' }
  const { status, body } = await asked('POST', '/call', { ...(await speaker()), transport })
  expect(status).toBe(201)
  const call = body as Call
  bench.openRoom(call.transport?.websocketCallUrl ?? '', [])
  await vi.waitFor(() => expect(keys).toEqual(['Bearer hush']))
  const answers = [body, await asked('GET', `/call/${call.id}`), await asked('GET', '/v2/call')]
  expect(JSON.stringify(answers)).not.toMatch(/hush|sealedSecrets/)
  expect(await rows()).not.toContain('hush')
})

it('the same of the overrides of a customer who is called', async () => {
  const { assistantId } = await bench.platform.defaults()
  const assistantOverrides = named('Anna', { tools: [handoff()] })
  const phone = await bench.openPhone()
  const customer = { number: '+12025550123', assistantOverrides }
  const made = await asked('POST', '/call', { assistantId, customer })
  expect(made.status).toBe(201)
  const heard = (type: string) =>
    vi.waitFor(() => {
      const message = phone.texts.find((text) => text.type === type)
      if (!message) throw new Error(`${type} has not come yet`)
      return message
    })
  await heard('ring')
  phone.socket.send(JSON.stringify({ type: 'answer', callId: made.body.id }))
  bench.openRoom(String((await heard('answered')).roomUrl))
  await vi.waitFor(() => expect(keys).toEqual(['Bearer hush']))
  const answers = await Promise.all(
    [`/call/${made.body.id}`, '/call', '/v2/call', '/v2/call/metadata'].map((path) => asked('GET', path)),
  )
  expect(JSON.stringify([made, answers])).not.toMatch(/hush|sealedSecrets/)
  expect(await rows()).not.toContain('hush')
})
