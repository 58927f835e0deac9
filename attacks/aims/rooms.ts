import { setTimeout as delay } from 'node:timers/promises'
import { bytesOf } from '@heyline/room-protocol'
import { WebSocket } from 'ws'
import { silence, vowel } from '../../packages/voice-platform/src/testing/session-bench.js'
import { type Attack, DIRECT, stranger, times } from '../attack.js'
import { type AttackedServer, socketFrom } from '../attacked-server.js'

/** Prompts by their length: the longest that a body took once, and the longest of today. */
const PROMPTS = [61_000, 20_000]
/** Sounds that are a turn each, as fast as turns may follow each other. */
const CLICK = [vowel(100), silence(500)]
const FRAME_MS = 20

/** A room whose prompt is as long as the server takes. */
async function longestRoom(target: AttackedServer, from: string): Promise<string | undefined> {
  for (const characters of PROMPTS) {
    const messages = [{ role: 'system', content: 'x'.repeat(characters) }]
    const model = { provider: 'openai', messages }
    const assistantOverrides = { firstMessageMode: 'assistant-waits-for-user', model }
    const room = await target.openRoom(from, { assistantId: target.assistantId, assistantOverrides })
    if (room !== undefined) return room
  }
  return undefined
}

/** Rooms with the longest prompt, joined, each of a network of its own. */
export function longestRooms(target: AttackedServer, count: number): Promise<WebSocket[]> {
  return Promise.all(
    times(count).map(async (place) =>
      target.join(stranger(place), (await longestRoom(target, stranger(place))) ?? ''),
    ),
  )
}

/** Clicks its tongue in a room, in real time. */
export async function click(socket: WebSocket, seconds: number): Promise<void> {
  const began = performance.now()
  let sentMs = 0
  while (sentMs < seconds * 1_000) {
    for (const sound of CLICK) {
      socket.send(bytesOf(sound))
      sentMs += (sound.length / 320) * FRAME_MS
    }
    await delay(Math.max(0, began + sentMs - performance.now()))
  }
}

/** A prompt that is sent again with each turn, and turns that are no more than a click. */
export const clicks: Attack = {
  aim: 'the model: clicks of the tongue in six rooms with the longest prompt, for twenty seconds',
  settings: DIRECT,
  bounds: [
    // Six of the longest requests at once, and one every four seconds; nobody makes as many turns in twenty seconds.
    { what: 'characters of prompts', before: '10.9 million', most: 3.5, unit: 'million' },
    { what: 'requests to the model', before: '174', most: 200 },
  ],
  async run(target) {
    const sockets = await longestRooms(target, 6)
    await Promise.all(sockets.map((socket) => click(socket, 20)))
    for (const socket of sockets) socket.terminate()
    const asked = target.engineRequests.filter(({ path }) => path.endsWith('/chat/completions'))
    return [asked.reduce((sum, { body }) => sum + body.length, 0) / 1_000_000, asked.length]
  },
}

/** What a client may have missed is sent again each time that it comes back. */
export const comingBack: Attack = {
  aim: 'bandwidth and disk: a client that comes back to its room as often as it can, for five seconds',
  settings: { ...DIRECT, MODEL_URL: '', VOICE_URL: '' },
  bounds: [
    { what: 'times that it is let back', before: '664', most: 20 },
    { what: 'what it is sent again', before: '105 MB', most: 20, unit: 'MB' },
  ],
  async run(target) {
    let bytes = 0
    const client = await ReturningClient.enter(target, stranger(1), (data) => {
      bytes += data.length
    })
    await delay(2_000)
    let returns = 0
    const ends = performance.now() + 5_000
    while (performance.now() < ends) if (await client.comeBack()) returns += 1
    client.leave()
    return [returns, bytes / 1_000_000]
  },
}

/** A client that has missed nothing of a long greeting, and comes back as if it had missed all. */
export class ReturningClient {
  readonly #from: string
  readonly #room: string
  readonly #received: (data: Buffer) => void
  #visit: Visit | undefined

  private constructor(from: string, room: string, received: (data: Buffer) => void) {
    this.#from = from
    this.#room = room
    this.#received = received
  }

  /** In a room of its own; `received` is told of what comes after the first visit. */
  static async enter(
    target: AttackedServer,
    from: string,
    received: (data: Buffer) => void = () => {},
  ): Promise<ReturningClient> {
    const firstMessage = 'We are open from nine to five on every day of the week. '.repeat(100)
    const body = { assistantId: target.assistantId, assistantOverrides: { firstMessage } }
    const client = new ReturningClient(from, (await target.openRoom(from, body)) ?? '', received)
    client.#visit = await enter(from, client.#room)
    return client
  }

  /** Whether it was let in. */
  async comeBack(): Promise<boolean> {
    const resume = `?resume=${this.#visit?.token}&received=0`
    const next = await enter(this.#from, `${this.#room.replace(/\?.*/, '')}${resume}`)
    if (!next) return false
    this.#visit?.socket.terminate()
    next.socket.on('message', this.#received)
    this.#visit = next
    return true
  }

  leave(): void {
    this.#visit?.socket.terminate()
  }
}

/** So many characters in so many rooms, as often as a room takes them. */
export const SAID = { characters: 9_500, rooms: 10, messages: 10, everyMs: 550 }

/** A text of such a character to be said. */
export const said = (character: string): string =>
  JSON.stringify({ type: 'say', message: character.repeat(SAID.characters) })

/** Rooms in which the assistant waits to be told, joined, each of a network of its own. */
export function silentRooms(target: AttackedServer, count: number): Promise<WebSocket[]> {
  const assistantOverrides = { firstMessageMode: 'assistant-waits-for-user' }
  const body = { assistantId: target.assistantId, assistantOverrides }
  return Promise.all(
    times(count).map(async (place) =>
      target.join(stranger(place), (await target.openRoom(stranger(place), body)) ?? ''),
    ),
  )
}

/** One character that stands for eighteen, in texts that are much too long to be said. */
export const words: Attack = {
  aim: 'everybody’s time: texts of 9,500 ﷺ to be said, in ten rooms as often as they take them',
  settings: DIRECT,
  bounds: [{ what: 'times the work of as long texts of one letter', before: '16', most: 5 }],
  async run(target) {
    const sockets = await silentRooms(target, SAID.rooms)
    const ticksOf = async (character: string) => {
      const message = said(character)
      const before = target.processorTicks
      for (const _ of times(SAID.messages)) {
        for (const socket of sockets) socket.send(message)
        await delay(SAID.everyMs)
      }
      return target.processorTicks - before
    }
    // The first ones also pay for what is loaded and compiled.
    await ticksOf('e')
    const plain = await ticksOf('e')
    const figure = (await ticksOf('ﷺ')) / Math.max(1, plain)
    const closed = sockets.filter(({ readyState }) => readyState !== WebSocket.OPEN)
    if (closed.length > 0) throw new Error(`${closed.length} rooms were closed`)
    for (const socket of sockets) socket.terminate()
    return [figure]
  },
}

interface Visit {
  socket: WebSocket
  /** For the next time. */
  token: string
}

/** Somebody who is let in, with the token for the next time; undefined for somebody who is not. */
async function enter(from: string, url: string): Promise<Visit | undefined> {
  const socket = socketFrom(from, url, ['room.v1'])
  socket.on('error', () => undefined)
  const first = new Promise<Buffer | undefined>((resolve) => {
    socket.once('message', (data: Buffer) => resolve(data))
    socket.once('close', () => resolve(undefined))
  })
  const { resumeToken }: { resumeToken?: string } = JSON.parse((await first)?.toString() ?? '{}')
  return resumeToken === undefined ? undefined : { socket, token: resumeToken }
}
