import { createServer, type Server } from 'node:http'
import type { Db } from '@heyline/database'
import type { Call } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { listen, shut, textOf } from '../testing/local-server.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { type EngineScript, ScriptedEngines } from '../testing/scripted-engines.js'

let db: Db
let server: Server
let url: string
let bench: PlatformBench
let engines: ScriptedEngines
/** What the developer's server was sent. */
let sent: { message: Record<string, unknown> & { type: string } }[] = []
beforeAll(async () => {
  db = await openPlatformDb()
  server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request))
    sent.push(body)
    const [call] = body.message.toolCallList ?? []
    const result = '{"table":{"number":7},"price":12}'
    response.end(JSON.stringify(call ? { results: [{ toolCallId: call.id, result }] } : {}))
  })
  url = await listen(server)
})
afterAll(async () => {
  await shut(server)
  await db.close()
})
afterEach(() => bench.close())

const asked = async (method: string, path: string, body?: unknown) => {
  const response = await bench.request(method, path, body)
  return { status: response.status, body: await response.json() }
}
const start = async (script: EngineScript = {}) => {
  sent = []
  engines = new ScriptedEngines(script)
  bench = await startPlatform(db, { engines, toolsAllowPrivate: true })
}
/** A call of a program; `room` shows what its client is sent. */
const called = async (speaker: object) => {
  const transport = { provider: 'vapi.websocket' }
  const { status, body } = await asked('POST', '/call', { ...speaker, transport })
  expect([status, body.message]).toEqual([201, undefined])
  const call = body as Call
  return { call, room: bench.openRoom(call.transport?.websocketCallUrl ?? '', []) }
}
const named = (name: string, tools: object[] = [], more: object = {}) => ({
  name,
  model: {
    provider: 'openai',
    model: 'gpt-4o-mini',
    messages: [{ role: 'system', content: `You are ${name}.` }],
    tools,
  },
  firstMessageMode: 'assistant-speaks-first-with-model-generated-message',
  ...more,
})
/** What the model of the next assistant was given. */
const readByNext = async () => {
  await vi.waitFor(() => expect(engines.asked).toHaveLength(2))
  return engines.asked[1]?.messages.map(({ content }) => content)
}

it.each([
  [{ type: 'all' }, ['You are Bella.', 'A moment.', 'To Bella now.']],
  [{ type: 'none' }, ['You are Bella.']],
  [{ type: 'lastNMessages', maxMessages: 1 }, ['You are Bella.', 'To Bella now.']],
  [{ type: 'userAndAssistantMessages' }, ['You are Bella.', 'A moment.', 'To Bella now.']],
])('a handoff speaks its request message and hands on what its plan says: %j', async (plan, read) => {
  await start({
    replies: [['A moment.'], ['Bella here.']],
    uses: [[{ name: 'handoff', arguments: { destination: 'Bella' } }]],
  })
  const tool = {
    type: 'handoff',
    destinations: [{ type: 'assistant', assistant: named('Bella'), contextEngineeringPlan: plan }],
    messages: [
      { type: 'request-start', content: 'To somebody now.' },
      {
        type: 'request-start',
        content: 'To {{who}} now.',
        conditions: [{ operator: 'eq', param: 'destination', value: 'Bella' }],
      },
    ],
  }
  await called({ assistant: named('Anna', [tool]), assistantOverrides: { variableValues: { who: 'Bella' } } })
  expect(await readByNext()).toEqual(read)
  await vi.waitFor(() => expect(engines.spoken).toEqual(['A moment.', 'To Bella now.', 'Bella here.']))
})

it.each([
  ['rolling-history', ['You are Anna.', 'You are Bella.', 'A moment.', 'To her.']],
  ['swap-system-message-in-history', ['You are Bella.', 'A moment.', 'To her.']],
  ['delete-history', ['You are Bella.']],
])('a transfer in a squad speaks its message and hands on the history: %s', async (transferMode, read) => {
  await start({
    replies: [['A moment.'], ['Bella here.']],
    uses: [[{ name: 'transferCall', arguments: { destination: 'Bella' } }]],
  })
  const to = { type: 'assistant', assistantName: 'Bella', message: 'To her.', transferMode }
  const members = [{ assistant: named('Anna'), assistantDestinations: [to] }, { assistant: named('Bella') }]
  await called({ squad: { members } })
  expect(await readByNext()).toEqual(read)
  expect(engines.spoken.slice(0, 2)).toEqual(['A moment.', 'To her.'])
})

it.each([
  [{ contextEngineeringPlan: { type: 'previousAssistantMessages' } }, 'others are not served'],
  [{ contextEngineeringPlan: { type: 'lastNMessages', maxMessages: 1_001 } }, 'maxMessages'],
  [{ variableExtractionPlan: { output: [] } }, 'output'],
  [{ variableExtractionPlan: { aliases: [{ key: '1st', value: '' }] } }, 'must be a letter'],
  [{ type: 'squad' }, ''],
])('a destination is refused by name: %j', async (more, why) => {
  await start()
  const destination = { type: 'assistant', assistant: named('Bella'), ...more }
  const tools = [{ type: 'handoff', destinations: [destination] }]
  const { status, body } = await asked('POST', '/assistant', named('Anna', tools))
  // Destinations of other types are stored, and never reached.
  expect(status).toBe(why === '' ? 201 : 400)
  expect(JSON.stringify(body.message ?? '')).toContain(why)
})

it("a workflow's tool node asks its server, and record and report have what each node has read", async () => {
  await start({
    // A caller may talk the model into more than the plan asks for.
    replies: [['Which day?'], ['{"day":"Monday","shop":"Other","now":"never"}'], [''], ['Done.']],
    uses: [[{ name: 'way_1', arguments: {} }], [], [{ name: 'book', arguments: { day: 'Monday' } }]],
  })
  const object = (properties: object) => ({ type: 'object', properties })
  const workflow = {
    name: 'Tables',
    server: { url },
    nodes: [
      {
        type: 'conversation',
        name: 'ask',
        isStart: true,
        prompt: 'Ask.',
        variableExtractionPlan: {
          schema: object({ day: { type: 'string' } }),
          aliases: [{ key: 'shortDay', value: '{{day | slice: 0, 3 | upcase}} for {{shop}}' }],
        },
      },
      {
        type: 'tool',
        name: 'reserve',
        tool: {
          type: 'function',
          function: { name: 'book', parameters: object({ day: { type: 'string' } }) },
          variableExtractionPlan: {
            schema: object({ table: object({ number: { type: 'number' } }) }),
            aliases: [{ key: 'seat', value: 'table {{table.number}} on {{shortDay}}' }],
          },
        },
      },
      { type: 'conversation', name: 'tell', prompt: 'Say {{seat}}.' },
      { type: 'tool', name: 'bye', tool: { type: 'endCall' } },
    ],
    edges: [
      { from: 'ask', to: 'reserve', condition: { type: 'ai', prompt: 'The day is known.' } },
      { from: 'reserve', to: 'tell' },
      { from: 'tell', to: 'bye' },
    ],
  }
  const { call, room } = await called({ workflow, workflowOverrides: { variableValues: { shop: 'Tern' } } })
  await room.closed
  expect(engines.asked.at(-1)?.messages[0]?.content).toBe('Say table 7 on MON for Tern.')
  const toolCalls = () => sent.filter(({ message }) => message.type === 'tool-calls')
  expect(toolCalls()).toMatchObject([{ message: { toolCallList: [{ function: { name: 'book' } }] } }])
  const variables = {
    day: 'Monday',
    shortDay: 'MON for Tern',
    table: { number: 7 },
    seat: 'table 7 on MON for Tern',
  }
  const artifact = { nodes: [{ nodeName: 'ask', variables }, { nodeName: 'tell' }], variables }
  await vi.waitFor(async () =>
    expect((await bench.client.calls.get(call.id)).artifact).toMatchObject(artifact),
  )
  await vi.waitFor(() =>
    expect(sent.find(({ message }) => message.type === 'end-of-call-report')?.message.artifact).toMatchObject(
      artifact,
    ),
  )
})
