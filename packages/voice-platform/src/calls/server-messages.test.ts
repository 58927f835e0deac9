import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Db } from '@heyline/database'
import type { ServerMessage } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

interface Received {
  path: string
  secret: string | undefined
  message: ServerMessage
}

let db: Db
let hooks: Server
let url: string
let received: Received[]
let status: number
let bench: PlatformBench | undefined
beforeAll(async () => {
  db = await openPlatformDb()
  hooks = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const secret = request.headers['x-vapi-secret']
    received.push({
      path: request.url ?? '',
      secret: typeof secret === 'string' ? secret : undefined,
      message: JSON.parse(body).message,
    })
    response.writeHead(status).end()
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
  status = 200
})
afterEach(() => bench?.close())

const talk = async (assistant: object, key = KEYS.private) => {
  const response = await bench?.request('POST', '/call/web', { assistant }, key)
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
    for (const { path, secret, message } of received) {
      expect(path).toBe('/hooks')
      expect(secret).toBe('the-hook-secret')
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

  it('go to the assistant’s own server when it names one, with its secret and as it wishes', async () => {
    bench = await startPlatform(db, { server: { url: `${url}/org`, secret: 'org' } })
    await talk({ server: { url: `${url}/own`, secret: 'own' }, serverMessages: ['end-of-call-report'] })
    await vi.waitFor(() => expect(received).toHaveLength(1))
    expect(received[0]).toMatchObject({
      path: '/own',
      secret: 'own',
      message: { type: 'end-of-call-report' },
    })
  })

  it('never go where the public key says', async () => {
    bench = await startPlatform(db, { server: { url: `${url}/org`, secret: 'org' } })
    await talk({ server: { url: `${url}/elsewhere` } }, KEYS.public)
    await vi.waitFor(() => expect(summary()).toEqual(WHOLE))
    expect(received.map(({ path }) => path)).toEqual(['/org', '/org', '/org'])
  })

  it('are sent once, whatever the server answers', async () => {
    status = 500
    bench = await startPlatform(db, { server: { url, secret: 's' } })
    await talk({})
    await vi.waitFor(() => expect(summary()).toEqual(WHOLE))
    await bench.close()
    bench = undefined
    expect(summary()).toEqual(WHOLE)
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
