import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { PassOn } from '@heyline/voice-platform'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import WebSocket from 'ws'
import { type Listening, listen } from './listening.js'
import { acceptUpgrades, type Upgrades } from './upgrade.js'

let listening: Listening
let upgrades: Upgrades
beforeEach(async () => {
  listening = await listen(0, '127.0.0.1')
  upgrades = acceptUpgrades(listening.server, pino({ level: 'silent' }))
})
afterEach(async () => {
  await upgrades.close()
  await listening.close()
})

const echo = {
  path: /^\/echo$/,
  protocols: ['echo.v1'],
  plain: false,
  refuse: () => undefined,
  accept: (socket: WebSocket) => void socket.on('message', (data) => socket.send(String(data))),
}
const open = (path: string) => new WebSocket(`ws://127.0.0.1:${listening.port}${path}`, ['echo.v1'])
const statusOf = (socket: WebSocket) =>
  new Promise<number | undefined>((resolve) => {
    socket.on('error', () => {})
    socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode))
  })

it('refuses until there are routes', async () => {
  expect(await statusOf(open('/echo'))).toBe(503)
})

it('tells those who are connected that it stops, and cuts those who do not listen', async () => {
  upgrades.serve([echo])
  const polite = open('/echo')
  const deaf = open('/echo')
  await Promise.all([polite, deaf].map((socket) => new Promise((resolve) => socket.once('open', resolve))))
  deaf.pause()
  const code = new Promise((resolve) => polite.once('close', resolve))
  await upgrades.close()
  expect(await code).toBe(1001)
  deaf.terminate()
})

it('hangs up on a refused client that keeps its side open', async () => {
  upgrades.serve([echo])
  const client = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true })
  client.on('error', () => {})
  client.write('GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  const [text] = await new Promise<string[]>((resolve) =>
    client.once('data', (data) => resolve([String(data)])),
  )
  expect(text).toMatch(/^HTTP\/1\.1 404/)
  await expect
    .poll(() => new Promise((resolve) => listening.server.getConnections((_, count) => resolve(count))))
    .toBe(0)
  client.destroy()
})

/** A client that writes its frames by itself. */
async function rawClient() {
  const client = connect({ port: listening.port, host: '127.0.0.1' })
  client.on('error', () => {})
  client.write(
    'GET /echo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: echo.v1\r\n\r\n',
  )
  await new Promise((resolve) => client.once('data', resolve))
  return client
}
/** An empty frame of a client: `first` begins a message that goes on, and 0 goes on with it. */
const frame = (first: number) => Buffer.from([first, 0x80, 0, 0, 0, 0])

it('cuts a client that goes on sending after our close', async () => {
  let read = () => 0
  upgrades.serve([
    {
      ...echo,
      accept: (socket, { socket: stream }) => {
        read = () => stream.bytesRead
        socket.close(1008, 'no room')
      },
    },
  ])
  const client = await rawClient()
  const gone = new Promise((resolve) => client.once('close', resolve))
  const whole = Buffer.alloc(8_000_000 - (8_000_000 % 6), frame(0x82))
  client.write(whole)
  await gone
  expect(read()).toBeLessThan(1_000_000)
})

it('cuts a message of very many frames', async () => {
  let heard: string[] = []
  const errors: unknown[] = []
  upgrades.serve([
    {
      ...echo,
      accept: (socket) => {
        socket.on('message', (data) => {
          heard = [...heard, String(data)]
        })
        socket.on('error', ({ message }) => errors.push(message))
      },
    },
  ])
  const client = await rawClient()
  const message = (frames: number) =>
    Buffer.concat([frame(0x01), Buffer.alloc(6 * (frames - 2), frame(0)), frame(0x80)])
  client.write(message(16))
  await expect.poll(() => heard).toEqual([''])
  client.write(message(17))
  await expect.poll(() => errors).toEqual([expect.stringMatching(/Too many message fragments/)])
  client.destroy()
})

it('passes a client on whose socket another process takes, and cuts it when the server stops', async () => {
  const away: Duplex[] = []
  const ways: (PassOn | undefined)[] = [undefined, (stream) => void away.push(stream)]
  upgrades.serve([{ ...echo, elsewhere: async () => ways.shift() }])
  const here = open('/echo')
  await new Promise((resolve) => here.once('open', resolve))
  expect(away).toEqual([])

  const passedOn = open('/echo')
  passedOn.on('error', () => {})
  await expect.poll(() => away).toHaveLength(1)
  const closed = new Promise((resolve) => passedOn.once('close', resolve))
  await upgrades.close()
  await closed
  expect(away[0]?.destroyed).toBe(true)
})
