import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { StartedServer } from './testing/started-server.js'
import { WireCall } from './testing/wire-call.js'

let server: StartedServer
/** A call that has nothing to do with the others. */
let other: WireCall
beforeAll(async () => {
  server = await StartedServer.start()
})
afterAll(async () => {
  await server.stop()
})
beforeEach(async () => {
  other = await WireCall.join(server)
  await other.until('the greeting is heard', () => other.audioBytes > 0)
  return async () => {
    other.socket.close()
    await other.closed
  }
})

/** The server answers, and the other call goes on. */
async function expectResponsive() {
  const answers = await Promise.all(
    ['/-/health', '/default'].map(async (path) => (await fetch(`${server.url}${path}`)).status),
  )
  expect(answers).toEqual([200, 200])
  await other.speaks()
  expect(other.socket.readyState).toBe(WebSocket.OPEN)
  expect(server.errors).toEqual([])
}

/** A client's frame as RFC 6455 has it, its mask all zeros. `claimed` is the length that its head names. */
function frame(opcode: number, payload: Buffer, claimed = payload.length): Buffer {
  const head = Buffer.alloc(14)
  head.writeUInt8(0x80 | opcode, 0)
  head.writeUInt8(0x80 | 127, 1)
  head.writeBigUInt64BE(BigInt(claimed), 2)
  return Buffer.concat([head, payload])
}

const BINARY = 2
const TEXT = 1
const MISDEEDS: [string, number, (call: WireCall) => void][] = [
  ['random bytes', 1002, ({ stream }) => stream.write(Buffer.concat([Buffer.of(0xff), randomBytes(4_096)]))],
  ['a frame without a mask', 1002, ({ stream }) => stream.write(Buffer.of(0x82, 2, 0, 0))],
  ['text that is not UTF-8', 1007, ({ stream }) => stream.write(frame(TEXT, Buffer.of(0xc3, 0x28)))],
  ['text that is no message', 1007, ({ socket }) => socket.send('nonsense')],
  [
    'a frame that says it has a gigabyte',
    1009,
    ({ stream }) => stream.write(frame(BINARY, Buffer.of(), 1e9)),
  ],
  ['audio of more than two seconds in a frame', 1009, ({ socket }) => socket.send(Buffer.alloc(64_002))],
  ['more messages than it may', 1008, ({ socket }) => repeat(60, () => socket.send('{"type":"none"}'))],
  ['more pings than it may', 1008, ({ socket }) => repeat(60, () => socket.ping())],
  ['a minute of audio at once', 1008, ({ socket }) => repeat(60, () => socket.send(Buffer.alloc(32_000)))],
  ['frames of audio without audio', 1008, ({ socket }) => repeat(4_000, () => socket.send(Buffer.of()))],
]
function repeat(times: number, run: () => void) {
  for (let n = 0; n < times; n += 1) run()
}

it.each(MISDEEDS)('closes a client that sends %s with %i and a reason', async (_what, code, misbehave) => {
  const call = await WireCall.join(server)
  misbehave(call)
  const end = await call.closed
  expect(end.code).toBe(code)
  expect(end.reason).not.toBe('')
  await expectResponsive()
})

it('serves everybody else while a thousand sockets are half open, and a client never reads', async () => {
  const deaf = await WireCall.join(server, { firstMessage: 'Hello.' }, ['room.v1'])
  deaf.socket.pause()
  const { port } = new URL(server.url)
  const plain = await Promise.all(Array.from({ length: 700 }, () => opened(Number(port))))
  // Some say nothing, some begin a request, or an upgrade, and do not end it.
  for (const [index, socket] of plain.entries()) {
    if (index % 3 === 1) socket.write('GET /default HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
    if (index % 3 === 2)
      socket.write(
        'GET /-/rooms/x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n',
      )
  }
  // Some upgrade, and then neither read nor answer.
  const rooms = Array.from({ length: 300 }, () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/-/rooms/${crypto.randomUUID()}?secret=none`)
    socket.on('error', () => undefined)
    const closed = new Promise<[number, string]>((resolve) =>
      socket.once('close', (code, reason) => resolve([code, reason.toString()])),
    )
    return { socket, closed }
  })
  await Promise.all(rooms.map(({ socket }) => once(socket, 'open').then(() => socket.pause())))
  await expectResponsive()
  for (const { socket } of rooms) socket.resume()
  const ends = await Promise.all(rooms.map(({ closed }) => closed))
  // More than the line at the door holds of one address: the others are asked to try again.
  const [unknown, again] = ['4009,There is no such room.', '4000,The room could not be opened. Try again.']
  expect(new Set(ends.map(String))).toEqual(new Set([unknown, again]))
  expect(ends.filter((end) => String(end) === unknown).length).toBeGreaterThanOrEqual(100)
  for (const socket of plain) socket.destroy()
  await expectResponsive()
  deaf.socket.terminate()
})

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}
