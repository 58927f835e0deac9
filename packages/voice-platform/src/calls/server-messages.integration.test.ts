import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Db } from '@heyline/database'
import type { ServerMessage } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  message: ServerMessage
}

let db: Db
let hooks: Server
let url: string
let received: Received[]
/** What the server answers, in turn; 200 when there is no more. */
let answers: number[]
let bench: PlatformBench | undefined
beforeAll(async () => {
  db = await openPlatformDb()
  hooks = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { headers } = request
    received.push({ path: request.url ?? '', headers, body, message: JSON.parse(body).message })
    response.writeHead(answers.shift() ?? 200).end()
  })
  hooks.listen(0, '127.0.0.1')
  await once(hooks, 'listening')
  url = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`
})
afterAll(async () => {
  hooks.closeAllConnections()
  hooks.close()
  await db.close()
})
beforeEach(() => {
  received = []
  answers = []
})
afterEach(() => bench?.close())

const talk = async (assistant: object) => {
  const response = await bench?.request('POST', '/call/web', { assistant })
  const call = (await response?.json()) as { id: string; webCallUrl: string }
  const room = bench?.openRoom(call.webCallUrl)
  await vi.waitFor(() => expect(room?.texts.map(({ type }) => type)).toContain('room.listening'))
  room?.socket.send('{"type":"room.leave"}')
  await room?.closed
  return call.id
}
const summary = () =>
  received.map(({ message }) => [message.type, 'status' in message ? message.status : undefined])
const WHOLE = [
  ['status-update', 'in-progress'],
  ['status-update', 'ended'],
  ['end-of-call-report', undefined],
]

describe('server messages', () => {
  it('tell a call’s whole way, in order, with the secret', async () => {
    bench = await startPlatform(db, { server: { url: `${url}/hooks`, secret: 'the-hook-secret' } })
    const callId = await talk({ firstMessage: 'Hello.' })
    await vi.waitFor(() => expect(summary()).toEqual(WHOLE))
    for (const { path, headers, message } of received) {
      expect(path).toBe('/hooks')
      expect(headers['x-vapi-secret']).toBe('the-hook-secret')
      expect(message).toMatchObject({
        timestamp: expect.any(Number),
        call: { id: callId, type: 'webCall' },
        assistant: { firstMessage: 'Hello.' },
      })
    }
    expect(received[1]?.message).toMatchObject({ endedReason: 'customer-ended-call' })
    expect(received[2]?.message).toMatchObject({
      endedReason: 'customer-ended-call',
      startedAt: expect.any(String),
      endedAt: expect.any(String),
      artifact: { messages: expect.any(Array), transcript: expect.any(String) },
      analysis: {},
    })
  })

  it('report what the model concluded from the call, and what its parts cost', async () => {
    const prices = {
      modelInputPerMillion: 1,
      modelOutputPerMillion: 1,
      transcriberPerMinute: 1,
      voicePerThousand: 1,
      platformPerMinute: 1,
    }
    const engines = new ScriptedEngines({ replies: [['They said hello.']] })
    bench = await startPlatform(db, { server: { url, secret: 's' }, engines, prices })
    const callId = await talk({
      firstMessage: 'Hello.',
      model: { provider: 'openai', messages: [{ role: 'system', content: 'Greet.' }] },
      analysisPlan: { minMessagesThreshold: 1, successEvaluationPlan: { enabled: false } },
    })
    await vi.waitFor(() => expect(summary()).toEqual(WHOLE))
    const call = await bench.client.calls.get(callId)
    const types = call.costs?.map(({ type }) => type)
    expect(types?.slice(0, 4)).toEqual(['transcriber', 'model', 'voice', 'vapi'])
    expect(call.costBreakdown).toMatchObject({ ttsCharacters: 6, total: call.cost })
    expect(received[2]?.message).toMatchObject({
      costs: call.costs,
      cost: call.cost,
      analysis: call.analysis ?? {},
    })
  })

  it('tell how a phone call fares, and whom it calls', async () => {
    bench = await startPlatform(db, { server: { url, secret: 's' } })
    const { assistantId } = await bench.platform.defaults()
    const customer = { number: '+12025550102' }
    await bench.client.calls.create({ assistantId, customer })
    await vi.waitFor(() => expect(summary()).toHaveLength(2), { timeout: 5_000 })
    expect(received.map(({ message }) => message)).toMatchObject([
      { type: 'status-update', status: 'ended', endedReason: 'customer-busy', customer },
      { type: 'end-of-call-report', endedReason: 'customer-busy', customer },
    ])
  })

  it('tell what is said, as it is said, to those who ask for it', async () => {
    const engines = new ScriptedEngines({ replies: [['You are welcome.']] })
    bench = await startPlatform(db, { server: { url, secret: 's' }, engines })
    const serverMessages = ['status-update', 'transcript[transcriptType="final"]']
    const assistant = { firstMessage: 'Hello.', serverMessages }
    const call = await bench.client.calls.createWeb({ assistant })
    const room = bench.openRoom(call.webCallUrl ?? '', [])
    await vi.waitFor(() => expect(summary()).toHaveLength(2))
    room.socket.send('{"type":"hangup"}')
    await room.closed
    await vi.waitFor(() => expect(summary()).toHaveLength(3))
    expect(received[1]?.message).toMatchObject({
      type: 'transcript',
      transcriptType: 'final',
      role: 'assistant',
      transcript: 'Hello.',
      timestamp: expect.any(Number),
      call: { id: call.id, status: 'in-progress' },
    })
    expect(summary()).toEqual([
      ['status-update', 'in-progress'],
      ['transcript', undefined],
      ['status-update', 'ended'],
    ])
  })

  it('go to the assistant’s own server when it names one, with its secret and as it wishes', async () => {
    bench = await startPlatform(db, { server: { url: `${url}/org`, secret: 'org' } })
    await talk({ server: { url: `${url}/own`, secret: 'own' }, serverMessages: ['end-of-call-report'] })
    await vi.waitFor(() => expect(received).toHaveLength(1))
    expect(received[0]).toMatchObject({
      path: '/own',
      headers: { 'x-vapi-secret': 'own' },
      message: { type: 'end-of-call-report' },
    })
  })

  it('are signed: as Standard Webhooks, and as the assistant’s webhook credential says', async () => {
    bench = await startPlatform(db)
    const credentials = [
      { provider: 'openai', apiKey: 'not shown' },
      {
        provider: 'webhook',
        authenticationPlan: {
          type: 'hmac',
          secretKey: 'key',
          algorithm: 'sha256',
          signaturePrefix: 'sha256=',
        },
      },
    ]
    const server = { url, secret: 'own', headers: { 'x-tenant': 'bakery' } }
    await talk({ server, credentials, serverMessages: ['end-of-call-report'] })
    await vi.waitFor(() => expect(received).toHaveLength(1))
    const { headers = {}, body = '' } = received[0] ?? {}
    const sign = (secret: string, text: string, encoding: 'hex' | 'base64') =>
      createHmac('sha256', secret).update(text).digest(encoding)
    const { 'webhook-id': id, 'webhook-timestamp': seconds } = headers
    expect(headers['webhook-signature']).toBe(`v1,${sign('own', `${id}.${seconds}.${body}`, 'base64')}`)
    expect(headers['x-vapi-signature']).toBe(sign('own', body, 'hex'))
    expect(headers['x-signature']).toBe(`sha256=${sign('key', `${headers['x-timestamp']}.${body}`, 'hex')}`)
    expect(headers['x-tenant']).toBe('bakery')
    expect(body).not.toMatch(/not shown|"secret"|secretKey|x-tenant/)
  })

  it('are sent once, whatever the server answers, where no plan says otherwise', async () => {
    answers = [500, 500, 500]
    bench = await startPlatform(db, { server: { url, secret: 's' } })
    await talk({})
    await vi.waitFor(() => expect(summary()).toEqual(WHOLE))
    await bench.close()
    bench = undefined
    expect(summary()).toEqual(WHOLE)
  })

  it('that fail are sent again as the backoff plan says, before the call’s next', async () => {
    answers = [500, 503]
    const backoffPlan = { type: 'exponential', maxRetries: 5, baseDelaySeconds: 0.05 } as const
    bench = await startPlatform(db, { server: { url, secret: 's', backoffPlan } })
    await talk({})
    await vi.waitFor(() => expect(received).toHaveLength(5))
    const [first] = WHOLE
    expect(summary()).toEqual([first, first, ...WHOLE])
    const ids = received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids.slice(0, 3)).size).toBe(1)
    expect(new Set(ids).size).toBe(3)
  })

  it('are left out where there is no server, and a server that is gone disturbs nothing', async () => {
    bench = await startPlatform(db)
    await talk({})
    await bench.close()
    expect(received).toEqual([])
    bench = await startPlatform(db, { server: { url: 'http://127.0.0.1:1/' } })
    const id = await talk({})
    await vi.waitFor(async () => expect((await bench?.client.calls.get(id))?.status).toBe('ended'))
  })
})
