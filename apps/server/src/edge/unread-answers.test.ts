import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Connection } from './connection.js'
import { UnreadAnswers } from './unread-answers.js'

const LOOK_MS = 500
const MEGABYTE = 1_000_000

/** A connection on which so much waits; what is read of it is told by the test. */
class Client implements Connection {
  readonly socket = new Socket()
  readonly answers = new Map<ServerResponse, () => void>()
  upgraded = false
  waiting: number
  taken = 0

  constructor(waiting: number) {
    this.waiting = waiting
    Object.defineProperty(this.socket, 'writableLength', { get: () => this.waiting })
    Object.defineProperty(this.socket, 'bytesWritten', { get: () => this.taken + this.waiting })
  }

  awaits(path: string) {
    const request = new IncomingMessage(this.socket)
    request.url = path
    this.answers.set(new ServerResponse(request), () => undefined)
  }

  read(bytes: number) {
    this.taken += bytes
    this.waiting -= bytes
  }
}

/** When each client is cut, in ms, while `each` runs before every look. */
function cuts(clients: Client[], forMs: number, each: (ms: number) => void = () => undefined) {
  const unread = new UnreadAnswers()
  const at = new Map<Connection, number>()
  for (let ms = 0; ms <= forMs; ms += LOOK_MS) {
    each(ms)
    const open = clients.filter((client) => !at.has(client))
    for (const connection of unread.look(open, LOOK_MS)) at.set(connection, ms)
  }
  return clients.map((client) => at.get(client))
}

describe('a client for whom something waits', () => {
  it('is cut when it has read nothing for twenty seconds', () => {
    expect(cuts([new Client(50_000)], 60_000)).toEqual([20_000])
  })

  it('is cut when it reads a little now and then', () => {
    const slow = new Client(MEGABYTE)
    const [at] = cuts([slow], 120_000, (ms) => ms % 10_000 === 0 && slow.read(1_000))
    expect(at).toBeLessThan(30_000)
  })

  it('is left alone on a slow line, however long it takes', () => {
    const slow = new Client(5 * MEGABYTE)
    expect(cuts([slow], 600_000, () => slow.read(2_500))).toEqual([undefined])
  })

  it('may stand still for a while, as in a tunnel, and go on', () => {
    const tunnel = new Client(5 * MEGABYTE)
    const each = (ms: number) => (ms < 30_000 || ms > 45_000) && tunnel.read(5_000)
    expect(cuts([tunnel], 240_000, each)).toEqual([undefined])
  })

  it('is cut after two seconds without reading when more than eight megabytes wait', () => {
    expect(cuts([new Client(30 * MEGABYTE)], 10_000)).toEqual([2_000])
  })
})

it('leaves alone whoever has read all, such as a page that follows its call', () => {
  expect(cuts([new Client(0)], 3_600_000)).toEqual([undefined])
})

it('leaves a WebSocket to its own part', () => {
  const room = new Client(7 * MEGABYTE)
  room.upgraded = true
  expect(cuts([room], 60_000)).toEqual([undefined])
})

it('leaves alone whoever has the secret key, and pages through an export', () => {
  const less = new Client(60_000)
  less.awaits('/-/office/visitors/export')
  expect(cuts([less], 3_600_000)).toEqual([undefined])
  less.awaits('/default')
  expect(cuts([less], 60_000)).toEqual([20_000])
})

describe('where more than 64 megabytes wait for all', () => {
  it('those who read nothing are cut, the largest first, and only as many as it takes', () => {
    const clients = [...Array(9).fill(7), 6].map((megabytes) => new Client(megabytes * MEGABYTE))
    const [reads, ...still] = clients
    const at = cuts(clients, 1_000, () => reads?.read(10_000))
    expect(at).toEqual([undefined, 500, ...Array(still.length - 1).fill(undefined)])
  })

  it('WebSockets count, too', () => {
    const rooms = Array.from({ length: 10 }, () => new Client(7 * MEGABYTE))
    for (const room of rooms) room.upgraded = true
    expect(cuts(rooms, 1_000).filter((at) => at === 500)).toHaveLength(1)
  })

  it('those who read are cut beyond four times as much', () => {
    const clients = Array.from({ length: 40 }, () => new Client(7 * MEGABYTE))
    const at = cuts(clients, 500, () => {
      for (const client of clients) client.read(10_000)
    })
    expect(at.filter((ms) => ms !== undefined)).toHaveLength(4)
  })
})
