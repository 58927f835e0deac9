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
const start = async (script: EngineScript) => {
  engines = new ScriptedEngines(script)
  bench = await startPlatform(db, { engines })
}
const called = async (speaker: object) => {
  const { status, body } = await asked('POST', '/call', {
    ...speaker,
    transport: { provider: 'vapi.websocket' },
  })
  expect([status, body.message]).toEqual([201, undefined])
  const call = body as Call
  return { call, room: bench.openRoom(call.transport?.websocketCallUrl ?? '', []) }
}

const WORKFLOW = {
  name: 'Bakery',
  globalPrompt: 'You work for {{shop}}.',
  nodes: [
    {
      type: 'conversation',
      name: 'greeting',
      isStart: true,
      prompt: 'Greet.',
      variableExtractionPlan: {
        schema: { type: 'object', properties: { cake: { type: 'string' } } },
      },
    },
    { type: 'conversation', name: 'order', prompt: 'Take the order of {{cake}}.' },
    {
      type: 'tool',
      name: 'bye',
      tool: { type: 'endCall', messages: [{ type: 'request-start', content: 'Bye.' }] },
    },
  ],
  edges: [
    { from: 'greeting', to: 'order', condition: { type: 'ai', prompt: 'The caller wants to order.' } },
    { from: 'order', to: 'bye' },
  ],
}

it('a stored workflow is walked from its start along an edge to its end, and the record says which nodes spoke', async () => {
  await start({
    replies: [['Welcome.'], ['{"cake":"tart"}'], ['Ordered.']],
    uses: [[{ name: 'way_1', arguments: {} }]],
  })
  const made = await asked('POST', '/workflow', WORKFLOW)
  expect([made.status, made.body.message]).toEqual([201, undefined])
  const { call, room } = await called({
    workflowId: made.body.id,
    workflowOverrides: { variableValues: { shop: 'Tern' } },
  })
  expect(call).toMatchObject({ workflowId: made.body.id })
  await room.closed
  expect(engines.spoken).toEqual(['Welcome.', 'Ordered.', 'Bye.'])
  expect(engines.asked[0]?.messages[0]?.content).toBe('You work for Tern.\n\nGreet.')
  expect(engines.asked[2]?.messages[0]?.content).toBe('You work for Tern.\n\nTake the order of tart.')
  expect(room.texts.filter(({ type }) => type === 'workflow.node.started')).toMatchObject([
    { node: { name: 'greeting' } },
    { node: { name: 'order' } },
  ])
  await vi.waitFor(async () => expect((await bench.client.calls.get(call.id)).status).toBe('ended'))
  const { artifact, endedReason } = await bench.client.calls.get(call.id)
  expect(endedReason).toBe('assistant-ended-call')
  expect(artifact?.variables).toEqual({ cake: 'tart' })
  expect(artifact?.nodes?.map(({ nodeName }) => nodeName)).toEqual(['greeting', 'order'])
  expect(artifact?.nodes?.[0]?.messages?.map(({ message }) => message)).toContain('Welcome.')
  expect((await asked('GET', `/call?workflowId=${made.body.id}`)).body).toHaveLength(1)
})

it('workflows are refused with the public key, and by name where they are broken', async () => {
  await start({})
  expect((await asked('POST', '/call/web', { workflow: WORKFLOW }, KEYS.public)).status).not.toBe(201)
  expect((await asked('POST', '/workflow', WORKFLOW, KEYS.public)).status).toBe(401)
  const broken = { ...WORKFLOW, edges: [{ from: 'greeting', to: 'nowhere' }] }
  for (const [path, body] of [
    ['/workflow', broken],
    ['/call/web', { workflow: broken }],
  ] as const)
    expect(JSON.stringify(await asked('POST', path, body))).toContain('there is no node nowhere')
})
