import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '@heyline/database/testing'
import { WebSocket } from 'ws'
import { RunningHeyline } from '../../e2e/running-heyline.js'
import { PRIVATE_KEY, SECRET } from '../backend/filled-heyline.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms, quantile } from '../report/table.js'

const CLIENTS = 50
/** How long they talk, in ms, while the processor is watched. */
const TALK_MS = 10_000
/** Questions there and back, by each of so many clients. */
const PINGS = 100
const PINGING = 5
const PING_EVERY_MS = 100
const RETURNS = 30
/** 20 ms of silence: PCM16, 16 kHz. */
const FRAME = Buffer.alloc(640)
const FRAME_MS = 20

interface Caller {
  socket: WebSocket
  /** The address at which this caller comes back, at the server with this origin. */
  back(origin: string): string
}

/** What it costs to be passed on: two servers on one Postgres, the calls at one of them, the callers at the other. */
export async function measureRelay(): Promise<Figure[]> {
  const postgres = await startPostgres()
  const start = () =>
    RunningHeyline.start({
      DATABASE_URL: postgres.url,
      HEYLINE_SECRET: SECRET,
      PLATFORM_PRIVATE_KEY: PRIVATE_KEY,
      CONVERSATIONS_MOST: '1000',
    })
  const servers: RunningHeyline[] = []
  try {
    for (let n = 0; n < 2; n += 1) servers.push(await start())
    const [holder, other] = servers
    if (!holder || !other) throw new Error('Two servers were to start')
    const direct = await Promise.all(Array.from({ length: PINGING }, () => talk(holder)))
    const relayed = await Promise.all(
      Array.from({ length: CLIENTS }, async () => join((await talk(holder)).back(other.url))),
    )
    const idle = other.processorTicks ?? Number.NaN
    await delay(TALK_MS)
    const talking = other.processorTicks ?? Number.NaN
    const over = new AbortController()
    const speech = relayed.map((caller) => speak(caller, over.signal))
    await delay(TALK_MS)
    const talked = other.processorTicks ?? Number.NaN
    const [there, passedOn] = await Promise.all([pings(direct), pings(relayed.slice(0, PINGING))])
    over.abort()
    await Promise.all(speech)
    // A tick is a hundredth of a second.
    const perClient = (10 * (talked - talking - (talking - idle))) / CLIENTS / (TALK_MS / 1000)
    const returns = await comings(holder, other)
    for (const { socket } of [...direct, ...relayed]) socket.terminate()
    return [
      limited({
        what: `there and back, passed on, beside ${CLIENTS} callers who talk: median`,
        value: median(passedOn) - median(there),
        limit: 5,
        show: ms,
        beside: `more than ${ms(median(there))} directly; p95 ${ms(quantile(passedOn, 0.95))} to ${ms(quantile(there, 0.95))}`,
      }),
      limited({
        what: 'processor of the server that passes a caller on, each second',
        value: perClient,
        limit: 5,
        show: ms,
        beside: `of ${CLIENTS} callers, who send a frame every ${FRAME_MS} ms`,
      }),
      limited({
        what: 'a caller comes back at the other server: median',
        value: median(returns.relayed),
        limit: 50,
        show: ms,
        beside: `${ms(median(returns.direct))} at the server of the call; sent there by the other one: ${ms(median(returns.sent))} and a new connection on the caller's own line`,
      }),
    ]
  } finally {
    for (const server of servers) await server.stop()
    await postgres.stop()
  }
}

/** Somebody in a new call of this server. */
async function talk({ url }: RunningHeyline): Promise<Caller> {
  const asked = await fetch(`${url}/-/platform/call/web`, {
    method: 'POST',
    headers: { authorization: `Bearer ${PRIVATE_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ assistant: { firstMessage: '', silenceTimeoutSeconds: 600 } }),
  })
  const { webCallUrl } = await asked.json()
  return join(webCallUrl)
}

/** Resolves when the room says that somebody is in. */
async function join(address: string): Promise<Caller> {
  const socket = new WebSocket(address, ['room.v1'], { perMessageDeflate: false })
  const [data] = await once(socket, 'message')
  const { type, resumeToken } = JSON.parse(String(data))
  if (type !== 'room.joined') throw new Error(`The room was not joined: ${data}`)
  const back = (origin: string) => {
    const url = new URL(address)
    url.host = new URL(origin).host
    url.search = new URLSearchParams({ resume: resumeToken }).toString()
    return url.href
  }
  // By a frame the platform knows that the connection stands.
  socket.send(FRAME)
  return { socket, back }
}

async function speak({ socket }: Caller, signal: AbortSignal): Promise<void> {
  const began = performance.now()
  for (let frame = 1; !signal.aborted; frame += 1) {
    socket.send(FRAME)
    await delay(Math.max(0, began + frame * FRAME_MS - performance.now()))
  }
}

/** How long each question of these callers takes there and back, in ms. */
async function pings(callers: readonly Caller[]): Promise<number[]> {
  const times: number[] = []
  await Promise.all(
    callers.map(async ({ socket }) => {
      for (let n = 0; n < PINGS; n += 1) {
        const asked = performance.now()
        socket.ping()
        await once(socket, 'pong')
        times.push(performance.now() - asked)
        await delay(PING_EVERY_MS)
      }
    }),
  )
  return times
}

/** How long it takes to come back, in ms: at the server of the call, at the other one, and at the other one that only says where to go. */
async function comings(holder: RunningHeyline, other: RunningHeyline) {
  const times = { direct: [] as number[], relayed: [] as number[], sent: [] as number[] }
  const comesBack = async (caller: Caller, origin: string) => {
    caller.socket.terminate()
    const began = performance.now()
    const again = await join(caller.back(origin))
    return { again, took: performance.now() - began }
  }
  for (let n = 0; n < RETURNS; n += 1) {
    const direct = await comesBack(await talk(holder), holder.url)
    times.direct.push(direct.took)
    const relayed = await comesBack(direct.again, other.url)
    times.relayed.push(relayed.took)
    // A room that there is not is answered at once: as soon as an address would be.
    const began = performance.now()
    const refused = new WebSocket(
      `${other.url.replace('http', 'ws')}/-/rooms/${crypto.randomUUID()}?resume=x`,
      ['room.v1'],
    )
    await once(refused, 'message')
    const asked = performance.now() - began
    const sent = await comesBack(relayed.again, holder.url)
    times.sent.push(asked + sent.took)
    sent.again.socket.terminate()
  }
  return times
}
