import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { materialOf } from '../engines/material.js'
import { listen, shut, textOf } from '../testing/local-server.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

const SECRET = 'hush-hush'
const MODEL = { provider: 'openai', model: 'gpt-4o-mini' } as const
const DOCUMENTS = [
  { content: 'We open at seven.', similarity: 0.4 },
  { content: 'On Sundays we are closed.', similarity: 0.9, uuid: 'd1' },
]

let db: Db
let engines: ScriptedEngines
let bench: PlatformBench
let server: Server
let url: string
let sent: { headers: IncomingHttpHeaders; message: Record<string, unknown> }[]
/** What the server answers. */
let answer: { status?: number; body: string }
beforeAll(async () => {
  db = await openPlatformDb()
  server = createServer(async (request, response) => {
    sent.push({ headers: request.headers, ...JSON.parse(await textOf(request)) })
    response.writeHead(answer.status ?? 200).end(answer.body)
  })
  url = await listen(server)
  engines = new ScriptedEngines()
  bench = await startPlatform(db, { engines, toolsAllowPrivate: true, resourcesKey: Buffer.alloc(32, 7) })
})
afterAll(async () => {
  await bench.close()
  await shut(server)
  await db.close()
})
beforeEach(() => {
  sent = []
  engines.asked.length = 0
  answer = { body: JSON.stringify({ documents: DOCUMENTS }) }
})

const asked = async (method: string, path: string, body?: unknown) => {
  const response = await bench.request(method, path, body)
  return { status: response.status, body: await response.json() }
}
const stored = async (more: object = {}) => {
  const made = await asked('POST', '/knowledge-base', {
    provider: 'custom-knowledge-base',
    server: { url, secret: SECRET, headers: { 'x-shop': SECRET }, ...more },
  })
  expect(made).toMatchObject({ status: 201, body: { provider: 'custom-knowledge-base', server: { url } } })
  return made.body
}
/** What the model read of the server's documents, last of all. */
const material = () => engines.asked.at(-1)?.messages.flatMap((message) => materialOf(message) ?? [])
const FOUND = ['On Sundays we are closed.', 'We open at seven.'].map((text) => ({
  from: 'the knowledge base',
  text,
}))

it('keeps the secrets of a server sealed, changes them, and shows them to nobody', async () => {
  const base = await stored()
  const path = `/knowledge-base/${base.id}`
  const sealed = async () =>
    (
      await db.query<{ server: { sealed?: string } }>(
        'select server from voice_platform.knowledge_bases where id = $1',
        [base.id],
      )
    ).rows[0]?.server
  expect(await sealed()).toEqual({ url, sealed: expect.stringMatching(/^v1\./) })
  const changed = await asked('PATCH', path, { server: { url, timeoutSeconds: 3 } })
  expect(changed.body).toEqual({ ...base, server: { url, timeoutSeconds: 3 } })
  expect(await sealed()).toHaveProperty('sealed')
  await asked('PATCH', path, { server: { url: 'https://elsewhere.example/' } })
  expect(await sealed()).toEqual({ url: 'https://elsewhere.example/' })
  expect((await asked('PATCH', path, { provider: 'canonical' })).status).toBe(400)
  expect((await asked('PATCH', path, { fileIds: [base.id] })).status).toBe(400)
  expect((await asked('GET', '/knowledge-base')).body).toContainEqual({
    ...base,
    server: { url: 'https://elsewhere.example/' },
  })
  expect((await asked('DELETE', path)).status).toBe(200)
  expect((await asked('POST', '/knowledge-base', { provider: base.provider, server: {} })).status).toBe(400)
})

it('is asked in a chat, signed, and its documents reach the model', async () => {
  const { id: knowledgeBaseId } = await stored()
  const messages = [{ role: 'system', content: 'You are the bakery.' }]
  const assistant = { model: { ...MODEL, messages, knowledgeBaseId } }
  const input = [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: 'Hello!' },
    { role: 'user', content: 'When do you open?' },
  ]
  const chat = await asked('POST', '/chat', { assistant, input })
  expect(chat).toMatchObject({ status: 201, body: { output: [{ content: 'Very well.' }] } })
  expect(material()).toEqual(FOUND)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.headers).toMatchObject({
    'x-vapi-secret': SECRET,
    'x-vapi-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    'x-shop': SECRET,
  })
  expect(sent[0]?.message).toMatchObject({
    type: 'knowledge-base-request',
    messages: input,
    messagesOpenAIFormatted: [...messages, ...input],
    chat: { id: chat.body.id },
  })
  expect(JSON.stringify(sent[0]?.message)).not.toContain(SECRET)
})

it('says the words of a message as they are, and asks no model', async () => {
  const knowledgeBase = { provider: 'custom-knowledge-base', server: { url } }
  const assistant = { model: { ...MODEL, knowledgeBase } }
  answer = { body: JSON.stringify({ message: { role: 'assistant', content: 'At seven.' }, documents: [] }) }
  const chat = await asked('POST', '/chat', { assistant, input: 'When?' })
  expect(chat.body.output).toEqual([{ role: 'assistant', content: 'At seven.' }])
  expect(engines.asked).toEqual([])
})

it('is asked in a call, too', async () => {
  const { id: knowledgeBaseId } = await stored()
  const assistant = {
    model: { ...MODEL, knowledgeBaseId },
    firstMessageMode: 'assistant-waits-for-user',
  }
  const transport = { provider: 'vapi.websocket' }
  const { body: call } = await asked('POST', '/call', { assistant, transport })
  const { socket, closed } = bench.openRoom(call.transport.websocketCallUrl, [])
  const say = (content: string) =>
    socket.send(
      JSON.stringify({
        type: 'add-message',
        message: { role: 'user', content },
        triggerResponseEnabled: true,
      }),
    )
  await new Promise((resolve) => socket.once('open', resolve))
  say('When do you open?')
  await vi.waitFor(() => expect(material()).toEqual(FOUND), 10_000)
  expect(sent[0]?.message).toMatchObject({
    call: { id: call.id },
    messages: [{ role: 'user', content: 'When do you open?' }],
  })
  answer = { body: JSON.stringify({ message: { type: 'custom-message', content: 'Come at seven.' } }) }
  say('And when exactly?')
  await vi.waitFor(() => expect(engines.spoken).toContain('Come at seven.'), 10_000)
  socket.send('{"type":"hangup"}')
  await closed
})

it.each([
  ['refuses', { status: 500, body: '{}' }],
  ['answers no JSON', { body: '<p>' }],
  ['answers something else', { body: '{"documents":"all"}' }],
  ['answers too many values', { body: JSON.stringify({ documents: Array(20_000).fill(0) }) }],
])('goes on without a server that %s', async (_, given) => {
  answer = given
  const assistant = {
    model: { ...MODEL, knowledgeBase: { provider: 'custom-knowledge-base', server: { url } } },
  }
  const chat = await asked('POST', '/chat', { assistant, input: 'When?' })
  expect(chat).toMatchObject({ status: 201, body: { output: [{ content: 'Very well.' }] } })
  expect(sent).toHaveLength(1)
  expect(material()).toEqual([])
})

it('gives the model no more than a reply may read', async () => {
  answer = {
    body: JSON.stringify({
      documents: [{ content: 'x'.repeat(6_000), similarity: 1 }, ...DOCUMENTS],
    }),
  }
  const assistant = {
    model: { ...MODEL, knowledgeBase: { provider: 'custom-knowledge-base', server: { url } } },
  }
  await asked('POST', '/chat', { assistant, input: 'When?' })
  expect(material()).toMatchObject([{ text: expect.stringMatching(/^x{4900,5000}$/) }])
  answer = { body: JSON.stringify({ documents: DOCUMENTS }) }
  await asked('POST', '/chat', { assistant, input: 'When?' })
  expect(material()).toEqual(FOUND)
})

it('asks no address in a private network unless the installation permits it', async () => {
  const guarded = await startPlatform(db, { engines, resourcesKey: Buffer.alloc(32, 7) })
  try {
    const assistant = {
      model: { ...MODEL, knowledgeBase: { provider: 'custom-knowledge-base', server: { url } } },
    }
    expect((await guarded.request('POST', '/chat', { assistant, input: 'When?' })).status).toBe(201)
    expect(sent).toEqual([])
  } finally {
    await guarded.close()
  }
})

it('goes on where the secrets of a server were sealed with another key', async () => {
  const { id: knowledgeBaseId } = await stored()
  const other = await startPlatform(db, {
    engines,
    toolsAllowPrivate: true,
    resourcesKey: Buffer.alloc(32, 8),
  })
  try {
    const assistant = { model: { ...MODEL, knowledgeBaseId } }
    expect((await other.request('POST', '/chat', { assistant, input: 'When?' })).status).toBe(201)
    expect([sent, material()]).toEqual([[], []])
  } finally {
    await other.close()
  }
})
