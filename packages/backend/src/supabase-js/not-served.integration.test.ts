import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ManualClock } from '@heyline/kit/manual-clock'
import { createClient } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { refuseRealtime } from '../other-services/refuse-realtime.js'
import { KEYS, type RunningBackend, runBackend } from '../testing/running-backend.js'

const sentence = (service: string) =>
  `This server has no ${service} service: point the client at a Supabase project for it`

describe('what is not served is one sentence at once for', () => {
  let backend: RunningBackend
  let asked: number
  beforeAll(async () => {
    const count = (request: Request) => {
      asked += 1
      return request
    }
    backend = await runBackend({ echo: async () => new Response('') }, { hole: count })
  })
  afterAll(() => backend.close())
  beforeEach(() => {
    asked = 0
  })
  const client = () => backend.client(KEYS.publishable)
  const token = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const jwt = [{ alg: 'HS256' }, { sub: 'a', exp: 4_000_000_000 }, {}].map(token).join('.')

  it.each([
    ['a sign-in', () => client().auth.signInWithPassword({ email: 'a@example.com', password: 'x' })],
    ['a sign-up', () => client().auth.signUp({ email: 'a@example.com', password: 'x' })],
    ['a magic link', () => client().auth.signInWithOtp({ email: 'a@example.com' })],
    ['a session', () => client().auth.refreshSession({ refresh_token: 'x' })],
    ['a user', () => client().auth.getUser(jwt)],
    ['the users', () => client().auth.admin.listUsers()],
  ])('auth-js, where there is no auth wire: %s', async (_, ask) => {
    const { error } = await ask()
    expect(error).toMatchObject({
      name: 'AuthApiError',
      status: 422,
      code: 'not_served',
      message: sentence('auth'),
    })
    expect(asked).toBe(1)
  })

  it.each([
    ['a list', () => client().storage.from('files').list()],
    ['an upload', () => client().storage.from('files').upload('a.txt', 'a')],
    ['a download', () => client().storage.from('files').download('a.txt')],
    ['a signed address', () => client().storage.from('files').createSignedUrl('a.txt', 60)],
    ['the buckets', () => client().storage.listBuckets()],
  ])('storage-js: %s', async (_, ask) => {
    const { error } = await ask()
    expect(error).toMatchObject({
      name: 'StorageApiError',
      status: 422,
      statusCode: '422',
      message: sentence('storage'),
    })
    expect(asked).toBe(1)
  })

  it('storage-js: a file that may be there is not said to be missing', async () => {
    await expect(client().storage.from('files').exists('a.txt')).rejects.toMatchObject({ status: 422 })
  })

  it('functions-js: another function, in its context', async () => {
    const { error } = await client().functions.invoke('resize')
    expect(error).toMatchObject({ name: 'FunctionsHttpError', context: { status: 404 } })
    expect(await error.context.json()).toEqual({
      code: 'NOT_FOUND',
      message: 'Requested function was not found. This server runs no functions but its own: echo',
    })
    expect(asked).toBe(1)
  })

  it('realtime-js: a message over HTTP', async () => {
    const sent = client().channel('room').httpSend('hello', {})
    await expect(sent).rejects.toThrow(sentence('realtime'))
    expect(asked).toBe(1)
  })

  it('postgrest-js: a part of REST', async () => {
    const { error, status } = await client().from('visitors').select('slug, calls(*)')
    expect([status, error?.code]).toEqual([400, 'PGRST127'])
    expect(error?.message).toBe('Feature not implemented: Embedding or an aggregate is not served here')
    expect(asked).toBe(1)
  })
})

describe('realtime-js', () => {
  const clock = new ManualClock()
  const http = createServer()
  const sockets = new WebSocketServer({ server: http })
  const clients: { realtime: { disconnect(): unknown } }[] = []
  let joins: number
  beforeAll(async () => {
    vi.stubGlobal('WebSocket', WebSocket)
    sockets.on('connection', (socket) => {
      socket.on('message', (data) => {
        if (String(data).includes('phx_join')) joins += 1
      })
      refuseRealtime(socket, clock)
    })
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
  })
  beforeEach(() => {
    joins = 0
  })
  afterEach(async () => {
    for (const { realtime } of clients.splice(0)) await realtime.disconnect()
  })
  afterAll(async () => {
    for (const socket of sockets.clients) socket.terminate()
    await new Promise((resolve) => http.close(resolve))
  })
  const address = () => `127.0.0.1:${(http.address() as AddressInfo).port}`
  const joined = (vsn?: string) => {
    const client = createClient(`http://${address()}`, KEYS.publishable, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { ...(vsn && { vsn }), reconnectAfterMs: () => 10, timeout: 1_000 },
    })
    clients.push(client)
    const told: (string | undefined)[] = []
    client.channel('room').subscribe((status, error) => told.push(status, error?.message))
    return { client, told }
  }

  it.each([['2.0.0'], ['1.0.0']])(
    'of version %s hears why its channel fails, and joins no more',
    async (vsn) => {
      const { client, told } = joined(vsn)
      await vi.waitFor(() => expect(told.length).toBeGreaterThan(2))
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(told).toEqual(['CHANNEL_ERROR', sentence('realtime'), 'CLOSED', undefined])
      expect(joins).toBe(1)
      expect(client.getChannels()).toEqual([])
      expect(client.realtime.isConnected()).toBe(true)
    },
  )

  const open = async () => {
    const socket = new WebSocket(`ws://${address()}`)
    const answers: unknown[] = []
    socket.on('message', (data) => answers.push(JSON.parse(String(data))))
    const closed = once(socket, 'close').then(([code]) => code)
    await once(socket, 'open')
    return { socket, answers, closed }
  }

  it('keeps its line by its heartbeats, and loses it when it is silent', async () => {
    const { socket, answers, closed } = await open()
    const heartbeat = '[null,"7","phoenix","heartbeat",{}]'
    for (let beats = 1; beats < 5; beats += 1) {
      socket.send(heartbeat)
      await vi.waitFor(() => expect(answers).toHaveLength(beats))
      clock.advance(25_000)
    }
    expect(answers[0]).toEqual([null, '7', 'phoenix', 'phx_reply', { status: 'ok', response: {} }])
    clock.advance(60_000)
    expect(await closed).toBe(1006)
  })

  it.each([['nonsense'], ['{}'], ['[1,2,3,4]'], ['null'], ['[null,"1","room","broadcast",{}]']])(
    'gets no answer to %s',
    async (text) => {
      const { socket, answers } = await open()
      socket.send(text)
      socket.send('[null,"7","phoenix","heartbeat",{}]')
      await vi.waitFor(() => expect(answers).toHaveLength(1))
      socket.close()
    },
  )

  it('is cut off when it does not read', async () => {
    const { socket } = await open()
    const [taken] = [...sockets.clients].slice(-1)
    const gone = new Promise((resolve) => taken?.once('close', resolve))
    socket.pause()
    const join = JSON.stringify(['1', '1', 'x'.repeat(19_000), 'phx_join', {}])
    for (let sent = 0; sent < 450; sent += 1) socket.send(join)
    await gone
    socket.terminate()
  })

  it('is closed when it sends too much', async () => {
    const long = await open()
    long.socket.send('x'.repeat(20_001))
    expect(await long.closed).toBe(1008)
    const many = await open()
    for (let sent = 0; sent < 501; sent += 1) many.socket.send('x')
    expect(await many.closed).toBe(1008)
  })
})
