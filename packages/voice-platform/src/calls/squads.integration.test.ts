import type { Db } from '@heyline/database'
import type { Call } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { type EngineScript, ScriptedEngines } from '../testing/scripted-engines.js'

let db: Db
let bench: PlatformBench
let engines: ScriptedEngines
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
afterEach(() => bench.close())

const asked = async (method: string, path: string, body?: unknown, key?: string) => {
  const response = await bench.request(method, path, body, key)
  return { status: response.status, body: await response.json() }
}
const start = async (script: EngineScript = {}) => {
  engines = new ScriptedEngines(script)
  bench = await startPlatform(db, { engines })
}
/** A call of a program; `room` shows what its client is sent. */
const called = async (speaker: object) => {
  const transport = { provider: 'vapi.websocket' }
  const { status, body } = await asked('POST', '/call', { ...speaker, transport })
  expect([status, body.message]).toEqual([201, undefined])
  const call = body as Call
  return { call, room: bench.openRoom(call.transport?.websocketCallUrl ?? '', []) }
}
const named = (name: string, more: object = {}, model: object = {}) => ({
  name,
  model: {
    provider: 'openai',
    model: 'gpt-4o-mini',
    messages: [{ role: 'system', content: `You are ${name}.` }],
    ...model,
  },
  ...more,
})
const ANNA = named('Anna', { firstMessageMode: 'assistant-speaks-first-with-model-generated-message' })

it('a stored squad speaks in a call: the first member hands it to the second, and the record says who spoke', async () => {
  await start({
    replies: [['I ask Bella.']],
    uses: [[{ name: 'transferCall', arguments: { destination: 'Bella' } }]],
  })
  const bella = (await asked('POST', '/assistant', named('Bella', { firstMessage: 'Hi {{who}}.' }))).body
  const made = await asked('POST', '/squad', {
    name: 'Front desk',
    members: [
      { assistant: ANNA, assistantDestinations: [{ type: 'assistant', assistantName: 'Bella' }] },
      { assistantId: bella.id, assistantOverrides: { variableValues: { who: 'member' } } },
    ],
  })
  expect(made.status).toBe(201)
  const { call, room } = await called({
    squadId: made.body.id,
    squadOverrides: { variableValues: { who: 'caller' } },
  })
  expect(call).toMatchObject({ squadId: made.body.id })
  await vi.waitFor(() => expect(engines.spoken).toContain('Hi caller.'), { timeout: 8_000 })
  expect(engines.spoken).toEqual(['I ask Bella.', 'Transferring the call now.', 'Hi caller.'])
  await vi.waitFor(() =>
    expect(room.texts.find(({ type }) => type === 'transfer-update')).toMatchObject({
      destination: { type: 'assistant', assistantName: 'Bella' },
      fromAssistant: { name: 'Anna' },
      toAssistant: { name: 'Bella' },
    }),
  )
  expect(JSON.stringify(room.texts)).not.toContain('You are')
  room.socket.send('{"type":"hangup"}')
  await room.closed
  await vi.waitFor(async () => expect((await bench.client.calls.get(call.id)).status).toBe('ended'))
  const { artifact } = await bench.client.calls.get(call.id)
  expect(artifact?.assistantActivations).toEqual([
    { assistantName: 'Anna' },
    { assistantName: 'Bella', assistantId: bella.id },
  ])
  expect(artifact?.messages?.map(({ message }) => message)).toContain(
    'The call was handed from Anna to Bella.',
  )
  const listed = await asked('GET', `/call?squadId=${made.body.id}`)
  expect(listed.body.map(({ id }: Call) => id)).toEqual([call.id])
  await asked('DELETE', `/squad/${made.body.id}`)
  expect((await asked('GET', `/squad/${made.body.id}`)).status).toBe(404)
})

it('a lone assistant hands over with its own tool, and what was said fills the words of the next one', async () => {
  const plan = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  await start({
    replies: [['A moment.'], ['{"city":"Oslo"}']],
    uses: [[{ name: 'handoff', arguments: {} }]],
  })
  const destination = {
    type: 'assistant',
    assistant: named('Bella', { firstMessage: 'So it is {{city}}.' }),
    contextEngineeringPlan: { type: 'none' },
    variableExtractionPlan: { schema: plan },
  }
  const tools = [{ type: 'handoff', destinations: [destination] }]
  await called({ assistant: { ...ANNA, model: { ...ANNA.model, tools } } })
  await vi.waitFor(() => expect(engines.spoken).toContain('So it is Oslo.'), { timeout: 8_000 })
  expect(JSON.stringify(engines.asked[0]?.options.tools)).toContain('"enum":["Bella"]')
})

it('an operator hands a running call over, to whom only the private key may name', async () => {
  await start()
  const { call, room } = await called({ assistant: named('Anna', { firstMessage: 'Anna here.' }) })
  await vi.waitFor(() => expect(engines.spoken).toContain('Anna here.'))
  const message = {
    type: 'handoff',
    destination: { type: 'assistant', assistant: named('Bella', { firstMessage: 'Bella here.' }) },
    content: 'Wait.',
  }
  room.socket.send(JSON.stringify(message))
  const path = `/call/${call.id}/control`
  expect((await asked('POST', path, message, KEYS.public)).status).toBe(401)
  expect((await asked('POST', path, { ...message, destination: { type: 'assistant' } })).status).toBe(400)
  expect(engines.spoken).toEqual(['Anna here.'])
  expect((await asked('POST', path, message)).status).toBe(200)
  await vi.waitFor(() => expect(engines.spoken).toEqual(['Anna here.', 'Wait.', 'Bella here.']))
})

it('squads are refused with the public key, and by name where they are broken', async () => {
  await start()
  const squad = { members: [{ assistant: ANNA }] }
  expect((await asked('POST', '/call/web', { squad }, KEYS.public)).status).not.toBe(201)
  expect((await asked('POST', '/squad', squad, KEYS.public)).status).toBe(401)
  const lost = {
    members: [{ assistant: ANNA, assistantDestinations: [{ type: 'assistant', assistantName: 'Nobody' }] }],
  }
  for (const [path, body] of [
    ['/squad', lost],
    ['/call/web', { squad: lost }],
  ] as const)
    expect(await asked('POST', path, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('no member is called Nobody') },
    })
  expect((await asked('POST', '/call/web', { squad, assistant: ANNA })).status).toBe(400)
  expect((await asked('POST', '/call/web', { squadId: crypto.randomUUID() })).body.message).toMatch(
    /does not exist/,
  )
})
