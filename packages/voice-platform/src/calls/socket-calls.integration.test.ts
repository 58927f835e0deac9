import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '@heyline/database'
import type { Call } from '@heyline/platform-client'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

let db: Db
let bench: PlatformBench
let engines: ScriptedEngines
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
const start = async (options: Parameters<typeof startPlatform>[1] = {}) => {
  engines = new ScriptedEngines()
  bench = await startPlatform(db, { engines, ...options })
}
afterEach(() => bench.close())

const assistant = { name: 'Baker', firstMessage: 'Hello there.' }
/** As the hosted platform documents it. */
const transport = {
  provider: 'vapi.websocket',
  audioFormat: { format: 'pcm_s16le', container: 'raw', sampleRate: 16_000 },
}
const created = async (body: object, path = '/call'): Promise<Call> => {
  const answer = await bench.request('POST', path, body)
  expect(answer.status).toBe(201)
  return (await answer.json()) as Call
}
const refused = async (body: object, key = KEYS.private) => {
  const answer = await bench.request('POST', '/call', body, key)
  const { message } = (await answer.json()) as { message: string | string[] }
  return [answer.status, ...[message].flat()]
}
/** A plain client, without a subprotocol. */
const enter = (call: Call) => bench.openRoom(call.transport?.websocketCallUrl ?? '', [])
const isOver = (id: string, endedReason: string) =>
  vi.waitFor(async () => {
    const call = await bench.client.calls.get(id)
    expect(call).toMatchObject({ status: 'ended', endedReason })
    return call
  })

describe('a call over a socket', () => {
  it('is created, heard, ended and shown as on the hosted platform', async () => {
    await start()
    const call = await created({ assistant, transport, name: 'From a program' })
    const room = expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/-\/rooms\/[0-9a-f-]{36}\?secret=[\w-]{43}$/)
    expect(call).toMatchObject({
      type: 'vapi.websocketCall',
      status: 'queued',
      name: 'From a program',
      assistant,
      transport: { ...transport, websocketCallUrl: room },
      monitor: { controlUrl: expect.stringContaining(call.id) },
    })
    expect(call).not.toHaveProperty('webCallUrl')

    const client = enter(call)
    const greeting = assistant.firstMessage.length * 200
    await vi.waitFor(() => expect(client.audioBytes()).toBe(greeting))
    const running = await bench.client.calls.get(call.id)
    expect(running).toMatchObject({ type: 'vapi.websocketCall', status: 'in-progress', transport })
    // Whoever has the address may join, so only the answer to the request has it.
    expect(running.transport).not.toHaveProperty('websocketCallUrl')

    // It has come ahead of its time: whoever hangs up before it was played has not heard all of it.
    await delay(500)
    client.socket.send(new Uint8Array((SAMPLE_RATE / 50) * 2))
    client.socket.send('{"type":"hangup"}')
    expect(await client.closed).toMatchObject({ code: 1000 })
    expect(await isOver(call.id, 'customer-ended-call')).toMatchObject({
      type: 'vapi.websocketCall',
      transport,
      transcript: 'AI: Hello there.',
    })
  })

  it('takes a stored assistant with overrides, and the documented format where none is named', async () => {
    await start()
    const { id: assistantId } = await bench.client.assistants.create(assistant)
    const call = await created(
      {
        assistantId,
        assistantOverrides: { firstMessage: 'Hey {{name}}.', variableValues: { name: 'Ada' } },
        transport: { provider: 'vapi.websocket' },
      },
      '/call/phone',
    )
    expect(call).toMatchObject({ assistantId, transport })
    enter(call)
    await vi.waitFor(() => expect(engines.spoken).toEqual(['Hey Ada.']))
  })

  it('is listed beside the others', async () => {
    await start()
    const { id } = await created({ assistant, transport })
    expect(await bench.client.calls.list({ id })).toMatchObject([{ type: 'vapi.websocketCall', transport }])
  })

  it('finds a full house, as web calls do', async () => {
    await start({ conversationsMost: 1 })
    await created({ assistant, transport })
    const answer = await bench.request('POST', '/call', { assistant, transport })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('15')
    expect((await bench.request('POST', '/call/web', { assistant })).status).toBe(503)
  })

  it('needs the private key', async () => {
    await start()
    const [status] = await refused({ assistant, transport }, KEYS.public)
    expect(status).toBe(401)
  })
})

describe('a call over a socket is refused', () => {
  const withAudio = (audioFormat: object) => ({ assistant, transport: { ...transport, audioFormat } })
  it.each([
    [
      withAudio({ format: 'mulaw' }),
      'transport.audioFormat.format must be one of the following values: pcm_s16le',
    ],
    [
      withAudio({ container: 'wav' }),
      'transport.audioFormat.container must be one of the following values: raw',
    ],
    [
      withAudio({ sampleRate: 8_000 }),
      'transport.audioFormat.sampleRate must be one of the following values: 16000',
    ],
    [withAudio({ channels: 2 }), 'transport.audioFormat.property channels should not exist'],
    [
      { assistant, transport, customer: { number: '+12025550123' } },
      'customer belongs to a phone call: leave it out with transport.provider vapi.websocket',
    ],
    [
      { assistant, transport, phoneNumberId: crypto.randomUUID() },
      'phoneNumberId belongs to a phone call: leave it out with transport.provider vapi.websocket',
    ],
    [{ assistant, transport, number: 1 }, 'property number should not exist'],
    [
      { transport },
      "Couldn't start the call: one of assistant, assistantId, squad, squadId, workflow or workflowId must be provided.",
    ],
  ])('with a clear word: %j', async (body, message) => {
    await start()
    expect(await refused(body)).toEqual([400, message])
  })
})
