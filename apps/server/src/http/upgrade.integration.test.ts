import { connect } from 'node:net'
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
