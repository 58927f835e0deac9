import { setTimeout as delay } from 'node:timers/promises'
import { bytesOf } from '@heyline/room-protocol'
import { WebSocket } from 'ws'
import { silence, vowel } from '../../packages/voice-platform/src/testing/session-bench.js'
import { type Attack, DIRECT, stranger, times } from '../attack.js'
import type { Target } from '../target.js'

/** Prompts by their length: the longest that a body took once, and the longest of today. */
const PROMPTS = [61_000, 20_000]
/** Sounds that are a turn each, as fast as turns may follow each other. */
const CLICK = [vowel(100), silence(500)]
const FRAME_MS = 20

/** A room whose prompt is as long as the server takes. */
async function longestRoom(target: Target, from: string): Promise<string | undefined> {
  for (const characters of PROMPTS) {
    const messages = [{ role: 'system', content: 'x'.repeat(characters) }]
    const model = { provider: 'openai', messages }
    const assistantOverrides = { firstMessageMode: 'assistant-waits-for-user', model }
    const room = await target.openRoom(from, { assistantId: target.assistantId, assistantOverrides })
    if (room !== undefined) return room
  }
  return undefined
}

/** Clicks its tongue in a room, in real time. */
async function click(socket: WebSocket, seconds: number): Promise<void> {
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
    const opened = await Promise.all(times(6).map((place) => longestRoom(target, stranger(place))))
    const sockets = await Promise.all(opened.map((room) => target.join(room ?? '')))
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
    const firstMessage = 'We are open from nine to five on every day of the week. '.repeat(100)
    const body = { assistantId: target.assistantId, assistantOverrides: { firstMessage } }
    const room = (await target.openRoom(stranger(1), body)) ?? ''
    let visit = await enter(room)
    await delay(2_000)
    let [returns, bytes] = [0, 0]
    const ends = performance.now() + 5_000
    while (performance.now() < ends) {
      const next = await enter(`${room.replace(/\?.*/, '')}?resume=${visit?.token}&received=0`)
      if (!next) continue
      visit?.socket.terminate()
      next.socket.on('message', (data: Buffer) => {
        bytes += data.length
      })
      visit = next
      returns += 1
    }
    visit?.socket.terminate()
    return [returns, bytes / 1_000_000]
  },
}

/** So many characters in so many rooms, as often as a room takes them. */
const SAID = { characters: 9_500, rooms: 10, messages: 10, everyMs: 550 }

/** One character that stands for eighteen, in texts that are much too long to be said. */
export const words: Attack = {
  aim: 'everybody’s time: texts of 9,500 ﷺ to be said, in ten rooms as often as they take them',
  settings: DIRECT,
  bounds: [{ what: 'times the work of as long texts of one letter', before: '16', most: 5 }],
  async run(target) {
    const assistantOverrides = { firstMessageMode: 'assistant-waits-for-user' }
    const body = { assistantId: target.assistantId, assistantOverrides }
    const rooms = await Promise.all(times(SAID.rooms).map((place) => target.openRoom(stranger(place), body)))
    const sockets = await Promise.all(rooms.map((room) => target.join(room ?? '')))
    const ticksOf = async (character: string) => {
      const message = JSON.stringify({ type: 'say', message: character.repeat(SAID.characters) })
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

/** Somebody who is let in, with the token for the next time; undefined for somebody who is not. */
async function enter(url: string): Promise<{ socket: WebSocket; token: string } | undefined> {
  const socket = new WebSocket(url, ['room.v1'], { perMessageDeflate: false })
  socket.on('error', () => undefined)
  const first = new Promise<Buffer | undefined>((resolve) => {
    socket.once('message', (data: Buffer) => resolve(data))
    socket.once('close', () => resolve(undefined))
  })
  const { resumeToken }: { resumeToken?: string } = JSON.parse((await first)?.toString() ?? '{}')
  return resumeToken === undefined ? undefined : { socket, token: resumeToken }
}
