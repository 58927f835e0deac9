import { setTimeout as delay } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { type Attack, DIRECT, stranger, times } from '../attack.js'
import type { AttackedServer } from '../attacked-server.js'
import type { Target } from '../target.js'

const OWN_ASSISTANT = {
  assistant: {
    firstMessage: 'Hello.',
    model: { provider: 'openai', model: 'the-dearest', messages: [{ role: 'system', content: 'Obey.' }] },
  },
}
/** What somebody says in a room. */
export const TEXT = JSON.stringify({ type: 'add-message', message: { role: 'user', content: 'And now?' } })

/** The rooms that so many requests opened, each of the address that `from` gives it. */
async function rooms(target: Target, count: number, from: (place: number) => string, body?: () => object) {
  const opened = await Promise.all(times(count).map((place) => target.openRoom(from(place), body?.())))
  return opened.filter((room) => room !== undefined)
}

/** The page's public key, in the hands of one person and then of a hundred networks. */
export const webCalls: Attack = {
  aim: 'browser calls: two hundred with any assistant, and two hundred with ours, from one address; then two hundred from a hundred networks',
  settings: DIRECT,
  bounds: [
    { what: 'calls with an assistant of the attacker’s', before: '500 in 4 s', most: 0 },
    { what: 'calls of one address', before: '500 in 4 s', most: 3 },
    { what: 'honest visitors refused meanwhile', before: '0', most: 0 },
    { what: 'calls of a hundred networks', before: '500 in 4 s', most: 20 },
  ],
  async run(target) {
    const own = await rooms(
      target,
      200,
      () => stranger(1),
      () => OWN_ASSISTANT,
    )
    const ours = await rooms(target, 200, () => stranger(1))
    const honest = await rooms(target, 1, () => stranger(2))
    const many = await rooms(target, 200, (place) => stranger(10 + (place % 100)))
    return [own.length, ours.length, 1 - honest.length, ours.length + honest.length + many.length]
  },
}

/** A house of fewer places than the gate would give to one network. */
export const fewPlaces: Attack = {
  aim: 'browser calls: all four places of a small house, from ten addresses of one network',
  settings: { ...DIRECT, CONVERSATIONS_MOST: '4' },
  bounds: [
    { what: 'calls of one network', before: '4', most: 2 },
    { what: 'honest visitors refused meanwhile', before: '1 of 1', most: 0 },
  ],
  async run(target) {
    const own = await rooms(target, 20, (place) => `203.0.114.${1 + (place % 10)}`)
    const honest = await rooms(target, 1, () => stranger(1))
    return [own.length, 1 - honest.length]
  },
}

/** A chat of one word; resolves with the status of its answer. */
export function chat(target: AttackedServer, from: string): Promise<number> {
  const headers = { authorization: `Bearer ${target.keys.platformPublic}` }
  const body = { assistantId: target.assistantId, input: 'Hello.' }
  return target.status(from, '/-/platform/chat/web', { headers, body })
}

/** The money of a day, by one word in each of ten chats. */
export const chatMoney: Attack = {
  aim: 'the money of the day: a chat of one word from each of ten networks, where ten of the longest calls are paid for',
  settings: { ...DIRECT, WEB_CALL_PRICE: '0.20' },
  bounds: [
    { what: 'honest visitors refused afterwards', before: '1 of 1, for a day', most: 0 },
    { what: 'money of ten such chats', before: '20', most: 1, unit: 'USD' },
  ],
  async run(target) {
    const { secret } = target.keys
    for (const place of times(10)) await chat(target, stranger(place))
    const honest = await rooms(target, 1, () => stranger(20))
    const asked = { headers: { authorization: `Bearer ${secret}` } }
    const status = await (await target.ask('127.0.0.1', '/-/office/calls/status', asked)).json()
    const { spent, reserved } = status.web.day
    const ofHonest = honest.length * 2_000_000
    return [1 - honest.length, (spent + reserved - ofHonest) / 1_000_000]
  },
}

/** The rooms that can be had from so many networks, joined, with the longest prompt that is taken. */
export async function costlyRooms(target: AttackedServer, networks: number): Promise<WebSocket[]> {
  const content = 'Be long. '.repeat(2_200)
  const model = { provider: 'openai', model: 'the-dearest', messages: [{ role: 'system', content }] }
  const body = { assistantId: target.assistantId, assistantOverrides: { model } }
  const joined = await Promise.all(
    times(networks).map(async (place) => {
      const room = await target.openRoom(stranger(place), body)
      return room === undefined ? undefined : await target.join(stranger(place), room)
    }),
  )
  return joined.filter((socket) => socket !== undefined)
}

/** All the rooms that can be had, and texts to each as fast as they go out, with the longest prompt that is taken. */
export const modelRequests: Attack = {
  aim: 'the model: texts in every room that can be had from a hundred networks, for five seconds',
  settings: DIRECT,
  bounds: [
    { what: 'requests to the model', before: '1,745 in 10 s', most: 140 },
    { what: 'characters of prompts', before: '223 million in 10 s', most: 3, unit: 'million' },
  ],
  async run(target) {
    const sockets = await costlyRooms(target, 100)
    for (const _ of times(5)) {
      for (const socket of sockets) for (const __ of times(20)) socket.send(TEXT)
      await delay(1_000)
    }
    for (const socket of sockets) socket.terminate()
    const asked = target.engineRequests.filter(({ path }) => path.endsWith('/chat/completions'))
    return [asked.length, asked.reduce((sum, { body }) => sum + body.length, 0) / 1_000_000]
  },
}

/** A request for a browser call with a megabyte of metadata, as text: to write it takes longer than to send it. */
export const withMetadata = ({ assistantId }: AttackedServer): string =>
  JSON.stringify({ assistantId, assistantOverrides: { metadata: { text: 'x'.repeat(1_000_000) } } })

/** A megabyte of metadata in every request. */
export const metadata: Attack = {
  aim: 'memory and disk: a hundred and fifty requests for browser calls, each with a megabyte of metadata',
  settings: DIRECT,
  bounds: [
    { what: 'calls', before: 'all', most: 0 },
    { what: 'growth of the memory', before: 'the process ended within 31 s', most: 200, unit: 'MB' },
    { what: 'growth on disk', before: '375 MB in 8 s', most: 20, unit: 'MB' },
  ],
  async run(target) {
    const [memory, disk] = [target.memory, target.disk]
    const body = withMetadata(target)
    let made = 0
    for (const round of times(15)) {
      const headers = { authorization: `Bearer ${target.keys.platformPublic}` }
      const asked = times(10).map((place) =>
        target.status(stranger(round * 10 + place), '/-/platform/call/web', { body, headers }),
      )
      made += (await Promise.all(asked)).filter((status) => status === 201).length
    }
    return [made, target.memory - memory, target.disk - disk]
  },
}

/** Every room greets at once; the bounds leave room for a machine that has other work. Without their addresses, the engines are the server's own. */
export const firstWords: Attack = {
  aim: 'the first word: sixty rooms that all greet at once',
  settings: {
    ...DIRECT,
    WEB_CALL_LIMIT_CONCURRENT: '100',
    WEB_CALL_LIMIT_STARTS: '1000/1m',
    MODEL_URL: '',
    VOICE_URL: '',
  },
  bounds: [
    { what: 'the longest wait for a first word', before: '12 s', most: 10, unit: 's' },
    { what: 'refusals that took longer than six seconds', before: 'nobody was refused', most: 0 },
  ],
  async run(target) {
    const began = performance.now()
    let late = 0
    const waits = await Promise.all(
      times(60).map(async (place) => {
        const asked = performance.now()
        const room = await greetedRoom(target, place)
        if (room === undefined) {
          if (performance.now() - asked > 6_000) late += 1
          return 0
        }
        return await firstWord(target, stranger(place), room, began)
      }),
    )
    return [Math.max(...waits) / 1000, late]
  },
}

/** The room of the stranger of this place, with a greeting of his own: what was said once need not be made again. */
export function greetedRoom(target: AttackedServer, place: number): Promise<string | undefined> {
  const hours = 'We are open from nine to five on every day of the week. '.repeat(4)
  const firstMessage = `Hello, number ${place}, and welcome to our house! ${hours}`
  const body = { assistantId: target.assistantId, assistantOverrides: { firstMessage } }
  return target.openRoom(stranger(place), body)
}

async function firstWord(target: Target, from: string, room: string, began: number): Promise<number> {
  let told = () => {}
  const heard = new Promise<void>((resolve) => {
    told = resolve
  })
  const socket = await target.join(from, room, told)
  await Promise.race([heard, delay(30_000, undefined, { ref: false })])
  const waited = performance.now() - began
  socket.terminate()
  return waited
}
