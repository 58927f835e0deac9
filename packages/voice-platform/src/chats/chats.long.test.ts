import type { Db } from '@heyline/database'
import { type CreateAssistant, PlatformClient, PlatformError, type WebChat } from '@heyline/platform-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { eraseFromPlatform } from '../calls/person-calls.js'
import type { PublicCallAdmission, PublicChats } from '../calls/public-calls.js'

import { createOpenAiModel } from '../engines/openai/openai-model.js'
import { type OpenAiStandIn, startOpenAiStandIn } from '../testing/openai-stand-in.js'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

const PRICES = {
  ...{ modelInputPerMillion: 1_000_000, modelOutputPerMillion: 2_000_000 },
  ...{ transcriberPerMinute: 0, voicePerThousand: 0, platformPerMinute: 0 },
}
const BAKERY: CreateAssistant = {
  name: 'Bakery',
  model: {
    ...{ provider: 'openai' as const, model: 'gpt-4o-mini' },
    messages: [{ role: 'system', content: 'You are {{transport.conversationType}} of {{shop}}.' }],
  },
}

let db: Db
let server: OpenAiStandIn
let bench: PlatformBench
let hook: ReturnType<typeof vi.fn<typeof fetch>>
let admitted: PublicCallAdmission
let begun: string[]
let isPaused: boolean
/** What the gate has heard of chats. */
let heard: string[]
let hasMoney: boolean | Error
const chats: PublicChats = {
  answered: async (id) => void heard.push(`answered ${id}`),
  async payTurn(id, seconds) {
    heard.push(`pays ${id} ${seconds}`)
    if (hasMoney instanceof Error) throw hasMoney
    return hasMoney
  },
  takenBack: async (id) => void heard.push(`taken back ${id}`),
}
beforeAll(async () => {
  db = await openPlatformDb()
  server = await startOpenAiStandIn({ reply: ['We open ', 'at seven.'] })
  hook = vi.fn<typeof fetch>(async () => new Response())
  const engines = Object.assign(new ScriptedEngines(), {
    model: createOpenAiModel({ url: server.url }),
  })
  bench = await startPlatform(db, {
    ...{ engines, prices: PRICES, resourcesKey: Buffer.alloc(32, 7), fetch: hook, toolsAllowPrivate: true },
    publicCalls: { admit: async () => admitted, isPaused: async () => isPaused, chats },
  })
})
afterAll(async () => {
  await bench.close()
  await server.close()
  await db.close()
})
beforeEach(() => {
  server.requests.length = 0
  server.script.toolCalls = []
  delete server.script.intercept
  hook.mockClear()
  begun = []
  isPaused = false
  heard = []
  hasMoney = true
  admitted = {
    ...{ admitted: true, maxSeconds: 72, failed: async () => {} },
    started: async (id) => void begun.push(id),
  }
})

const asked = () => server.requests.map(({ body }) => JSON.parse(body.toString()))
const saidTo = () => JSON.parse(String(server.requests.at(-1)?.body)).messages
const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
/** The model answers the next request once this is done. */
const answerAfter = (work: () => Promise<unknown>) => {
  server.script.intercept = (_, response) => {
    delete server.script.intercept
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const said = { choices: [{ index: 0, delta: { content: 'We open.' } }] }
    void work().then(() => response.end(`data: ${JSON.stringify(said)}\n\ndata: [DONE]\n\n`))
    return true
  }
}
const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.catch((caught: unknown) => caught)
  return error instanceof PlatformError ? [error.status, error.message].join(' ') : error
}

describe('a chat', () => {
  it('is answered by a stored assistant, stored with its costs, listed and deleted', async () => {
    const { chats, assistants } = bench.client
    const { id: assistantId } = await assistants.create(BAKERY)
    const assistantOverrides = { variableValues: { shop: 'the bakery' } }
    const made = await chats.create({ assistantId, assistantOverrides, name: 'Hours', input: 'When?' })
    expect(made).toMatchObject({
      ...{ assistantId, name: 'Hours', input: 'When?', stream: false, messages: [] },
      output: [{ role: 'assistant', content: 'We open at seven.' }],
      costs: [{ type: 'model', promptTokens: 2, completionTokens: 2 }],
      cost: 6,
    })
    expect(asked()[0]).toMatchObject({ model: 'gpt-4o-mini', max_tokens: 250 })
    expect(saidTo()).toEqual([
      { role: 'system', content: 'You are chat of the bakery.' },
      { role: 'user', content: 'When?' },
    ])
    expect(await chats.get(made.id)).toEqual(made)
    expect((await chats.list({ assistantId })).results).toEqual([made])
    expect((await chats.list({ assistantId, createdAtLt: '2000-01-01' })).results).toEqual([])
    expect((await chats.list({ workflowId: assistantId })).results).toEqual([])
    expect((await chats.list({ assistantId, limit: 1 })).metadata).toMatchObject({ totalItems: 1 })
    expect(await chats.delete(made.id)).toEqual(made)
    expect(await refusalOf(chats.get(made.id))).toMatch(/^404 /)
    expect(await refusalOf(chats.delete(made.id))).toMatch(/^404 /)
  })

  it('goes on from the one before, with the same assistant', async () => {
    const { chats } = bench.client
    const first = await chats.create({ assistant: BAKERY, input: 'When?' })
    const second = await chats.create({
      previousChatId: first.id,
      input: [{ role: 'user', content: 'Sure?' }],
    })
    expect(saidTo().slice(1)).toEqual([
      { role: 'user', content: 'When?' },
      { role: 'assistant', content: 'We open at seven.' },
      { role: 'user', content: 'Sure?' },
    ])
    expect(second).toMatchObject({ previousChatId: first.id, messages: [{ content: 'When?' }, {}] })
    const sessionId = first.id
    const both: object = { sessionId, previousChatId: first.id, input: 'x' }
    expect((await bench.request('POST', '/chat', both)).status).toBe(400)
    expect(await refusalOf(chats.create({ sessionId, input: 'x' }))).toMatch(/^400 .*does not exist/)
    expect(await refusalOf(chats.create({ input: 'x' }))).toMatch(/^400 .*must be provided/)
  })

  it('goes on in a session, which has its words', async () => {
    const { chats, sessions, assistants } = bench.client
    const { id: assistantId } = await assistants.create(BAKERY)
    const { id: sessionId } = await sessions.create({
      assistantId,
      messages: [{ role: 'user', content: 'Hi.' }],
    })
    await chats.create({ sessionId, input: 'When?' })
    await chats.create({ sessionId, input: 'Sure?' })
    expect(saidTo()).toHaveLength(5)
    expect((await sessions.get(sessionId)).messages).toHaveLength(5)
    expect((await chats.list({ sessionId })).results).toHaveLength(2)
    await sessions.update(sessionId, { status: 'completed' })
    expect(await refusalOf(chats.create({ sessionId, input: 'x' }))).toMatch(/^400 .*completed/)
  })

  describe('that is answered while what it goes on from is removed', () => {
    const NUMBER = '+12025550171'
    const erase = () => db.transaction((tx) => eraseFromPlatform(tx, { number: NUMBER, callIds: [] }))
    const begun = async () => {
      const { chats, sessions, assistants } = bench.client
      const { id: assistantId } = await assistants.create(BAKERY)
      const { id: sessionId } = await sessions.create({ assistantId, customer: { number: NUMBER } })
      const { id: previousChatId } = await chats.create({ sessionId, input: 'I am Ada.' })
      return { sessionId, previousChatId }
    }
    const told = async () =>
      (await db.query("select from voice_platform.chats where to_jsonb(chats)::text like '%I am Ada.%'"))
        .rowCount

    it.each(['sessionId', 'previousChatId'] as const)('by an erase is not stored: %s', async (name) => {
      const { [name]: before } = await begun()
      answerAfter(erase)
      const refusal = await refusalOf(bench.client.chats.create({ [name]: before, input: 'SLOWLY' }))
      expect(refusal).toMatch(/^404 .* was erased/)
      expect(await told()).toBe(0)
    })

    it('by the API is not stored either', async () => {
      const { chats, sessions } = bench.client
      const { sessionId, previousChatId } = await begun()
      answerAfter(() => chats.delete(previousChatId))
      expect(await refusalOf(chats.create({ previousChatId, input: 'SLOWLY' }))).toMatch(/^404 .* was erased/)
      expect(await told()).toBe(0)
      answerAfter(() => sessions.delete(sessionId))
      expect(await refusalOf(chats.create({ sessionId, input: 'SLOWLY' }))).toMatch(/^404 .* was erased/)
      expect((await chats.list({ sessionId })).results).toEqual([])
    })
  })

  it('in a session with an assistant of its own is answered by it, with the secrets of its tools', async () => {
    server.script.toolCalls = [{ name: 'hours', arguments: {} }]
    const authorization = 'Bearer hush-hush'
    const tool = { type: 'function' as const, function: { name: 'hours' } }
    const own = { provider: 'openai', model: 'gpt-4o-mini' } as const
    const tools = [{ ...tool, server: { url: server.url, headers: { authorization } } }]
    const { chats, sessions } = bench.client
    const made = await sessions.create({ assistant: { model: { ...own, tools } } })
    expect(made.assistant?.model).toEqual({ ...own, tools: [{ ...tool, server: { url: server.url } }] })
    const chat = await chats.create({ sessionId: made.id, input: 'When?' })
    expect(server.requests.map((request) => request.authorization)).toContain(authorization)
    expect(asked()[0]).toMatchObject({ model: 'gpt-4o-mini', tools: [{ function: { name: 'hours' } }] })
    const { rows } = await db.query('select settings::text from voice_platform.resources where id = $1', [
      made.id,
    ])
    const all = [rows, chat, made, await sessions.get(made.id), await chats.list({ sessionId: made.id })]
    expect(JSON.stringify(all)).not.toContain('hush')
  })

  it('uses tools, and is told of those that need a call', async () => {
    server.script.toolCalls = [
      { name: 'transferCall', arguments: {} },
      { name: 'none', arguments: {} },
    ]
    const tools = [{ type: 'transferCall', destinations: [{ type: 'number', number: '+12025550142' }] }]
    const assistant = { ...BAKERY, model: { ...BAKERY.model, tools } }
    const { output = [] } = await bench.client.chats.create({ assistant, input: 'A human, please.' } as never)
    expect(output[1]).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('transferCall was not done'),
    })
    // Five rounds with tools, and the last without.
    expect(asked()).toHaveLength(6)
    expect(asked().at(-1).tools).toBeUndefined()
  })

  it('reads what a request to a server gives', async () => {
    server.script.toolCalls = [{ name: 'hours', arguments: {} }]
    server.script.intercept = (path, response) => {
      if (path !== '/v1/hours') return false
      server.script.toolCalls = []
      response.end('Seven.')
      return true
    }
    const tools = [{ type: 'apiRequest', name: 'hours', method: 'GET', url: `${server.url}/hours` }]
    const assistant = { ...BAKERY, model: { ...BAKERY.model, tools } }
    const { output } = await bench.client.chats.create({ assistant, input: 'When?' } as never)
    expect(output).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { name: 'hours' } }] },
      { role: 'tool', content: 'Seven.' },
      { role: 'assistant', content: 'We open at seven.' },
    ])
    expect(saidTo().at(-1)).toMatchObject({ role: 'tool', content: 'Seven.' })
  })

  it('has its organisation where a tool’s server is asked', async () => {
    server.script.toolCalls = [{ name: 'hours', arguments: {} }]
    server.script.intercept = (path, response) => {
      if (path !== '/v1/hook') return false
      server.script.toolCalls = []
      response.end('{"results":[]}')
      return true
    }
    const tools = [{ type: 'function', function: { name: 'hours' }, server: { url: `${server.url}/hook` } }]
    const assistant = { ...BAKERY, model: { ...BAKERY.model, tools } }
    const { orgId } = await bench.client.chats.create({ assistant, input: 'When?' } as never)
    const told = server.requests.find(({ path }) => path === '/v1/hook')?.body.toString() ?? '{}'
    expect(JSON.parse(told)).toMatchObject({ message: { type: 'tool-calls', chat: { orgId } } })
  })

  it('takes what a call’s record says of a message, and the developer’s own notes', async () => {
    const notes = {
      ...{ metadata: { from: 'crm' }, isFiltered: true, detectedThreats: ['injection'] },
      ...{ originalMessage: 'When!', speakerLabel: 'Ada', time: 1, secondsFromStart: 0 },
    }
    const input = [
      { role: 'developer' as const, content: 'Be short.', metadata: { a: 1 } },
      { role: 'user' as const, message: 'When?', ...notes },
    ]
    const { id } = await bench.client.chats.create({ assistant: BAKERY, input })
    expect((await bench.client.chats.get(id)).input).toEqual(input)
    expect(saidTo().at(-1)).toEqual({ role: 'user', content: 'When?' })
    const large = [{ role: 'user' as const, content: 'x', metadata: { a: 'x'.repeat(1_000) } }]
    expect(await refusalOf(bench.client.chats.create({ assistant: BAKERY, input: large }))).toMatch(
      /^400 .*input\.0\.metadata must be shorter/,
    )
  })

  it('tells a server that asks for it', async () => {
    const assistant = {
      ...BAKERY,
      server: { url: 'https://a.example/' },
      serverMessages: ['chat.created', 'chat.deleted'],
    }
    const { id } = await bench.client.chats.create({ assistant, input: 'When?' } as never)
    await bench.client.chats.delete(id)
    await vi.waitFor(() => expect(hook).toHaveBeenCalledTimes(2))
    const told = hook.mock.calls.map(([, init]) => JSON.parse(String(init?.body)).message)
    expect(told).toMatchObject([
      { type: 'chat.created', chat: { id } },
      { type: 'chat.deleted', chat: { id } },
    ])
  })

  it('that the model cannot answer is refused in words, and what is wrong is named', async () => {
    const { chats } = bench.client
    server.script.intercept = (_, response) => {
      response.writeHead(500).end()
      return true
    }
    expect(await refusalOf(chats.create({ assistant: BAKERY, input: 'x' }, { timeoutMs: 5_000 }))).toMatch(
      /model could not/,
    )
    const squad = await bench.request('POST', '/chat', { squadId: KEYS.private, input: 'x' })
    expect(squad.status).toBe(400)
    const other = await bench.request('POST', '/chat', { workflowId: crypto.randomUUID(), input: 'x' })
    expect(other.status).toBe(422)
    expect((await bench.request('POST', '/chat', { input: 'x'.repeat(10_001) })).status).toBe(400)
  })
})

describe('a streamed chat', () => {
  it('comes in pieces, and is stored', async () => {
    const { chats } = bench.client
    const pieces = await collect(chats.stream({ assistant: BAKERY, input: 'When?' }))
    expect(pieces.map(({ delta }) => delta).join('')).toBe('We open at seven.')
    expect(pieces[0]).toEqual({ id: expect.any(String), path: 'chat.output[0].content', delta: 'We open ' })
    expect(await chats.get(pieces[0]?.id ?? '')).toMatchObject({
      stream: true,
      output: [{ role: 'assistant' }],
    })
  })

  it('comes as the events of the Responses API', async () => {
    const { chats } = bench.client
    const events = await collect(chats.streamResponse({ assistant: BAKERY, input: 'When?' }))
    expect(events.map(({ type }) => type)).toEqual([
      ...['response.output_text.delta', 'response.output_text.delta', 'response.output_text.done'],
      'response.completed',
    ])
    const whole = await chats.createResponse({ assistant: BAKERY, input: 'When?' })
    expect(whole).toMatchObject({
      ...{ object: 'response', status: 'completed' },
      output: [{ role: 'assistant', content: [{ type: 'output_text', text: 'We open at seven.' }] }],
    })
    expect(events.at(-1)).toMatchObject({
      response: { output: whole.output.map(({ content }) => ({ content })) },
    })
  })

  it('ends the model’s work when its client goes', async () => {
    server.script.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"index":0,"delta":{"content":"We "}}]}\n\n')
      return true
    }
    for await (const { delta } of bench.client.chats.stream({ assistant: BAKERY, input: 'When?' })) {
      expect(delta).toBe('We ')
      break
    }
    await server.brokenOff
    const { rows } = await db.query(
      'select from voice_platform.chats where output @> \'[{"content": "We "}]\'',
    )
    expect(rows).toEqual([])
  })
})

describe('a chat of a page', () => {
  const post = (body: object, key = KEYS.public, path = '/chat/web') => bench.request('POST', path, body, key)
  const words = async (answer: Promise<Response>) => {
    const response = await answer
    return [response.status, (await response.json()).message].flat().join(' ')
  }
  let assistantId: string
  beforeEach(async () => {
    assistantId = (await bench.client.assistants.create(BAKERY)).id
  })
  const turn = async (fields: object = {}) =>
    (await (await post({ assistantId, input: 'When?', ...fields })).json()) as WebChat

  it('is admitted once, goes on by its session for as many turns as a call lasts, and then begins anew', async () => {
    const first = await turn({ customer: { name: 'Ada' } })
    expect(first).toEqual({
      ...{ id: expect.any(String), sessionId: begun[0] },
      output: [{ role: 'assistant', content: 'We open at seven.' }],
    })
    const { sessionId } = first
    for (const length of [4, 6]) {
      expect((await turn({ sessionId })).sessionId).toBe(sessionId)
      expect(saidTo()).toHaveLength(length)
    }
    expect(begun).toHaveLength(1)
    const next = await turn({ sessionId })
    expect(next.sessionId).toBe(begun[1])
    expect(saidTo()).toHaveLength(2)
    expect((await bench.client.chats.list({ sessionId: sessionId ?? '' })).results).toHaveLength(3)
  })

  it('is streamed in both forms', async () => {
    const client = new PlatformClient({
      ...{ token: KEYS.public, baseUrl: 'http://platform' },
      fetch: (input, init) => bench.platform.fetch(new Request(input, init)),
    })
    const pieces = await collect(client.chats.streamWeb({ assistantId, input: 'When?' }))
    expect(pieces[0]).toMatchObject({ delta: 'We open ', sessionId: begun[0] })
    const events = await collect(client.chats.streamWebResponse({ assistantId, input: 'When?' }))
    expect(events.at(-1)).toMatchObject({ type: 'response.completed' })
    expect(await client.chats.createWebResponse({ assistantId, input: 'When?' })).toMatchObject({
      object: 'response',
    })
  })

  it('reaches nobody else’s words', async () => {
    const mine = await bench.client.sessions.create({
      assistantId,
      messages: [{ role: 'user', content: 'Secret.' }],
    })
    const other = await turn()
    const elsewhere = (await bench.client.assistants.create(BAKERY)).id
    for (const [id, sessionId] of [
      [assistantId, mine.id],
      [assistantId, other.id],
      [elsewhere, other.sessionId],
    ]) {
      expect((await turn({ assistantId: id, sessionId })).sessionId).not.toBe(sessionId)
      expect(saidTo()).toHaveLength(2)
    }
    for (const path of ['/chat', `/chat/${other.id}`])
      expect((await bench.request('GET', path, undefined, KEYS.public)).status).toBe(401)
  })

  it('says its words in either form, and who the customer is', async () => {
    const customer = {
      ...{ name: 'Ada', numberE164CheckEnabled: false, sipUri: 'sip:ada@example.com' },
      assistantOverrides: { variableValues: { shop: 'the mill' } },
    }
    const input = [{ role: 'user', message: 'When?', time: 1, endTime: 2, secondsFromStart: 0 }]
    expect((await turn({ input, customer })).output).toHaveLength(1)
    expect(saidTo()).toEqual([
      { role: 'system', content: 'You are chat of the mill.' },
      { role: 'user', content: 'When?' },
    ])
  })

  it('takes what a call’s record says of a message, within the characters of a turn', async () => {
    const notes = {
      ...{ isFiltered: true, detectedThreats: ['injection'], originalMessage: 'When!' },
      ...{ speakerLabel: 'Ada', metadata: { from: 'form' } },
    }
    const { id } = await turn({ input: [{ role: 'user', content: 'When?', ...notes }] })
    expect((await bench.client.chats.get(id)).input).toMatchObject([notes])
    const long = [{ role: 'user', content: 'x', originalMessage: 'x'.repeat(2_000) }]
    expect(await words(post({ assistantId, input: long }))).toMatch(/^400 .*2000 characters/)
  })

  it('chooses neither model nor prompt, and has bounds', async () => {
    const bad = (fields: object) => words(post({ assistantId, input: 'x', ...fields }))
    expect(await bad({ assistant: BAKERY })).toBe('400 property assistant should not exist')
    expect(await bad({ assistantOverrides: { model: BAKERY.model } })).toMatch(
      /^400 .*model should not exist/,
    )
    expect(await bad({ previousChatId: assistantId })).toMatch(/^400 /)
    for (const role of ['system', 'developer', 'assistant', 'tool'])
      expect(await bad({ input: [{ role, content: 'x' }] })).toMatch(
        /^400 input\.0\.role must be user: a page/,
      )
    const variableValues = { shop: 'x'.repeat(4_000) }
    expect(await bad({ customer: { assistantOverrides: { variableValues } } })).toMatch(/^400 .*4000 char/)
    const both = [{ role: 'user', content: 'x', message: 'x' }]
    expect(await bad({ input: both })).toMatch(/^400 .*either content or message/)
    expect(await bad({ input: 'x'.repeat(3_000) })).toMatch(/^400 .*2000 characters/)
    expect(await bad({ input: 'x'.repeat(70_000) })).toMatch(/^413 /)
    expect(server.requests).toEqual([])
    expect(begun).toEqual([])
  })

  it('uses tools four times at most, and shows none of that', async () => {
    server.script.toolCalls = [{ name: 'endCall', arguments: {} }]
    const tools = [{ type: 'endCall' as const }]
    const { id } = await bench.client.assistants.create({ model: { ...BAKERY.model, tools } } as never)
    const { output } = await turn({ assistantId: id })
    expect(output).toEqual(Array(5).fill({ role: 'assistant', content: 'We open at seven.' }))
    expect(server.requests).toHaveLength(5)
  })

  it('is streamed with the places that the whole answer has', async () => {
    const tools = [{ type: 'endCall' as const }]
    const { id } = await bench.client.assistants.create({ model: { ...BAKERY.model, tools } } as never)
    const client = new PlatformClient({
      ...{ token: KEYS.public, baseUrl: 'http://platform' },
      fetch: (input, init) => bench.platform.fetch(new Request(input, init)),
    })
    const streamed = async () => {
      const texts: string[] = []
      for await (const { path, delta } of client.chats.streamWeb({ assistantId: id, input: 'When?' })) {
        const place = Number(/^chat\.output\[(\d+)\]\.content$/.exec(path)?.[1])
        texts[place] = (texts[place] ?? '') + delta
      }
      return texts
    }
    server.script.toolCalls = [{ name: 'endCall', arguments: {} }]
    const withWords = await turn({ assistantId: id })
    expect(await streamed()).toEqual(withWords.output.map(({ content }) => content))
    const { reply } = server.script
    const oneUse = async <Answer>(ask: () => Promise<Answer>) => {
      server.script.toolCalls = [{ name: 'endCall', arguments: {} }]
      let asked = 0
      server.script.intercept = () => {
        asked += 1
        if (asked > 1) server.script.toolCalls = []
        server.script.reply = asked > 1 ? reply : []
        return false
      }
      return await ask()
    }
    expect((await oneUse(() => turn({ assistantId: id }))).output).toHaveLength(1)
    expect(await oneUse(streamed)).toEqual(['We open at seven.'])
  })

  it('has whoever admitted it hear of each answer', async () => {
    const { sessionId } = await turn()
    await turn({ sessionId })
    await turn({ sessionId })
    expect(heard).toEqual([`answered ${sessionId}`, `pays ${sessionId} 24`, `pays ${sessionId} 24`])
    heard = []
    expect((await post({ assistantId, input: 'x' }, KEYS.private)).status).toBe(201)
    expect(heard).toEqual([])
  })

  it('gives its place back where the model fails at once, and nobody goes on with it', async () => {
    server.script.intercept = (_, response) => {
      response.writeHead(500).end()
      return true
    }
    expect((await post({ assistantId, input: 'x' })).status).toBe(503)
    expect(heard).toEqual([`taken back ${begun[0]}`])
    delete server.script.intercept
    expect((await turn({ sessionId: begun[0] })).sessionId).toBe(begun[1])
  })

  it('gives its place back where the page has left before the model was asked', async () => {
    const gone = new AbortController()
    admitted = {
      ...{ admitted: true, maxSeconds: 72, failed: async () => {} },
      async started(id) {
        begun.push(id)
        gone.abort()
      },
    }
    const asked = new Request('http://platform/chat/web', {
      ...{ method: 'POST', body: JSON.stringify({ assistantId, input: 'x' }), signal: gone.signal },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${KEYS.public}` },
    })
    await bench.platform.fetch(asked)
    expect(heard).toEqual([`taken back ${begun[0]}`])
    expect(server.requests).toEqual([])
  })

  it('keeps its place where the model has begun, or has been left', async () => {
    let leave = () => {}
    server.script.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"index":0,"delta":{"content":"We "}}]}\n\n')
      response.end('data: broken\n\n')
      return true
    }
    expect((await post({ assistantId, input: 'x' })).status).toBe(503)
    expect(heard).toEqual([`answered ${begun[0]}`])
    server.script.intercept = () => {
      leave()
      return true
    }
    const gone = new AbortController()
    leave = () => gone.abort()
    const asked = new Request('http://platform/chat/web', {
      ...{ method: 'POST', body: JSON.stringify({ assistantId, input: 'x' }), signal: gone.signal },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${KEYS.public}` },
    })
    await bench.platform.fetch(asked)
    expect(heard.at(-1)).toBe(`answered ${begun[1]}`)
  })

  it('pays for each turn, and waits where there is no money for the next one', async () => {
    const firstTurns: unknown[] = []
    admitted = {
      ...{ admitted: true, maxSeconds: 120, failed: async () => {} },
      started: async (id, seconds) => void firstTurns.push([id, seconds]),
    }
    const { sessionId } = await turn()
    expect(firstTurns).toEqual([[sessionId, 24]])
    await turn({ sessionId })
    expect(heard.at(-1)).toBe(`pays ${sessionId} 24`)
    hasMoney = false
    server.requests.length = 0
    expect(await words(post({ assistantId, sessionId, input: 'x' }))).toMatch(/^429 This chat has to wait/)
    hasMoney = new Error('away')
    expect(await words(post({ assistantId, sessionId, input: 'x' }))).toMatch(/^503 This chat cannot go on/)
    expect(server.requests).toEqual([])
    // What was refused has used no turn: three of five are left.
    hasMoney = true
    for (let left = 3; left > 0; left -= 1) expect((await turn({ sessionId })).sessionId).toBe(sessionId)
    expect((await turn({ sessionId })).sessionId).not.toBe(sessionId)
  })

  it('is answered once at a time, however its id is written', async () => {
    const { sessionId = '' } = await turn()
    const second = new Promise<string>((resolve) => {
      server.script.intercept = (_, response) => {
        void words(post({ assistantId, sessionId: sessionId.toUpperCase(), input: 'x' })).then((answer) => {
          resolve(answer)
          response.destroy()
        })
        return true
      }
    })
    await post({ assistantId, sessionId, input: 'x' })
    expect(await second).toMatch(/^429 This chat is being answered/)
  })

  it('is over once its person is erased, also while it is answered', async () => {
    const erase = (id: string) => db.transaction((tx) => eraseFromPlatform(tx, { callIds: [id] }))
    const { sessionId = '' } = await turn()
    await erase(sessionId)
    const other = (await turn({ sessionId })).sessionId ?? ''
    expect(other).not.toBe(sessionId)
    answerAfter(() => erase(other))
    expect(await words(post({ assistantId, sessionId: other, input: 'x' }))).toMatch(/^404 .* was erased/)
    for (const id of [sessionId, other])
      expect((await bench.client.chats.list({ sessionId: id })).results).toEqual([])
  })

  it('is refused as a call would be, and stops at a pause', async () => {
    const { sessionId } = await turn()
    isPaused = true
    expect(await words(post({ assistantId, sessionId, input: 'x' }))).toBe('403 Calls and chats are paused.')
    isPaused = false
    admitted = { admitted: false, status: 429, message: 'Later.' }
    expect(await words(post({ assistantId, input: 'x' }))).toBe('429 Later.')
    expect((await post({ assistantId, input: 'x' }, KEYS.private)).status).toBe(201)
    expect(begun).toHaveLength(1)
  })
})
