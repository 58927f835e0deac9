import { type AddressInfo, createServer } from 'node:net'
import { ManualClock } from '@heyline/kit/manual-clock'
import type { PhoneServerMessage } from '@heyline/room-protocol'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { CarrierLine, lineUrl, readMessage } from './carrier-line.js'
import { durationText } from './texts.js'

const RING = { type: 'ring', callId: 'a', from: '+12025550100', to: '+12025550123' }

let carrier: WebSocketServer
let line: CarrierLine | undefined
let told: (string | PhoneServerMessage)[]
const clock = new ManualClock()

beforeAll(() => void vi.stubGlobal('WebSocket', WebSocket))
afterAll(() => void vi.unstubAllGlobals())

beforeEach(async () => {
  told = []
  carrier = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => carrier.once('listening', resolve))
})

afterEach(async () => {
  line?.close()
  for (const client of carrier.clients) client.terminate()
  await new Promise((resolve) => carrier.close(resolve))
})

const handlers = {
  onLine: (state: string) => void told.push(state),
  onMessage: (message: PhoneServerMessage) => void told.push(message),
}

function openLine(): CarrierLine {
  const { port } = carrier.address() as AddressInfo
  line = new CarrierLine(`ws://127.0.0.1:${port}/`, handlers, clock)
  return line
}

/** The next phone that connects. */
const nextPhone = () => new Promise<WebSocket>((resolve) => carrier.once('connection', resolve))

it('carries messages both ways, in the protocol of phones', async () => {
  const phone = nextPhone()
  const opened = openLine()
  const socket = await phone
  expect(socket.protocol).toBe('phone.v1')
  socket.send('no message')
  socket.send(JSON.stringify(RING))
  await vi.waitFor(() => expect(told).toEqual(['open', RING]))
  const heard = new Promise((resolve) => socket.once('message', (data) => resolve(String(data))))
  opened.send({ type: 'answer', callId: 'a' })
  expect(await heard).toBe('{"type":"answer","callId":"a"}')
})

it('connects again after a loss, with longer pauses each time it fails', async () => {
  const first = nextPhone()
  openLine()
  const socket = await first
  await vi.waitFor(() => expect(told).toEqual(['open']))
  socket.terminate()
  await vi.waitFor(() => expect(told).toEqual(['open', 'lost']))
  clock.advance(499)
  expect(carrier.clients.size).toBe(0)
  const second = nextPhone()
  clock.advance(1)
  await second
  await vi.waitFor(() => expect(told).toEqual(['open', 'lost', 'open']))
})

/** A phone whose line is open, and the carrier's end of it. */
async function lineAndEnd(): Promise<[CarrierLine, WebSocket]> {
  const phone = nextPhone()
  const opened = openLine()
  const socket = await phone
  await vi.waitFor(() => expect(told).toEqual(['open']))
  return [opened, socket]
}

/** What the carrier's end hears next. */
const nextHeard = (socket: WebSocket) =>
  new Promise((resolve) => socket.once('message', (data) => resolve(String(data))))

it('asks after a second whether the line stands, and again after each answer', async () => {
  const [, socket] = await lineAndEnd()
  for (let round = 0; round < 3; round++) {
    const asked = nextHeard(socket)
    clock.advance(round === 0 ? 1_000 : 999)
    expect(await asked).toBe('{"type":"ping"}')
    clock.advance(1_999)
    socket.send('{"type":"pong"}')
    // The phone's end answers this ping when it has read what came before.
    const read = new Promise((resolve) => socket.once('pong', resolve))
    socket.ping()
    await read
    clock.advance(1)
    expect(told).toEqual(['open'])
  }
})

it('is lost when nothing answers for two seconds, and connects again', async () => {
  const [, socket] = await lineAndEnd()
  const asked = nextHeard(socket)
  clock.advance(1_000)
  await asked
  clock.advance(1_999)
  expect(told).toEqual(['open'])
  clock.advance(1)
  expect(told).toEqual(['open', 'lost'])
  const again = nextPhone()
  clock.advance(500)
  await again
  await vi.waitFor(() => expect(told).toEqual(['open', 'lost', 'open']))
})

it('is lost within 300 ms when it is to be checked so fast and nothing answers', async () => {
  const [opened] = await lineAndEnd()
  opened.check(300)
  clock.advance(300)
  expect(told).toEqual(['open', 'lost'])
})

it('connects at once when it is to be checked while it is lost', async () => {
  const [opened, socket] = await lineAndEnd()
  socket.terminate()
  await vi.waitFor(() => expect(told).toEqual(['open', 'lost']))
  const again = nextPhone()
  opened.check()
  await again
  await vi.waitFor(() => expect(told).toEqual(['open', 'lost', 'open']))
})

it('gives up a connection that does not come about in five seconds', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  line = new CarrierLine(`ws://127.0.0.1:${port}/`, handlers, clock)
  await new Promise((resolve) => silent.once('connection', resolve))
  clock.advance(4_999)
  expect(told).toEqual([])
  clock.advance(1)
  expect(told).toEqual(['lost'])
  line.close()
  await new Promise((resolve) => silent.close(resolve))
})

it('stays closed', async () => {
  const phone = nextPhone()
  const opened = openLine()
  const socket = await phone
  const gone = new Promise((resolve) => socket.once('close', resolve))
  opened.close()
  await gone
  expect(clock.pending).toBe(0)
})

it.each([
  ['{"type":"stop","callId":"a","reason":"canceled"}', true],
  ['{"type":"answered","callId":"a","roomUrl":"ws://x"}', true],
  ['{"type":"answered","callId":"a"}', false],
  ['{"type":"text","id":"a","from":"+12025550100","to":"+12025550123","body":"Hello"}', true],
  ['{"type":"text","id":"a","from":"+12025550100","to":"+12025550123","body":7}', false],
  ['{"type":"pong"}', true],
  ['{"type":"toString"}', false],
  ['null', false],
  ['{', false],
])('reads %s', (text, isMessage) => {
  expect(readMessage(text) !== undefined).toBe(isMessage)
})

it.each([
  ['http://localhost:3000/-/phone', 'ws://localhost:3000/-/carriers/simulated/phones'],
  ['https://demo.example/-/phone?key=a%26b&x=1', 'wss://demo.example/-/carriers/simulated/phones?key=a%26b'],
])('finds the line of %s', (page, url) => {
  expect(lineUrl(new URL(page))).toBe(url)
})

it.each([
  [0, '0:00'],
  [7_999, '0:07'],
  [750_000, '12:30'],
  [-5, '0:00'],
])('writes %i ms as %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text)
})
