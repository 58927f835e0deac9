import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { WireCall } from '../../apps/server/src/testing/wire-call.js'
import { PIECES } from '../../packages/backend/src/testing/fuzz/pieces.js'
import { Random } from '../../packages/backend/src/testing/fuzz/random.js'
import type { DoorKeys } from './door-keys.js'

const TYPES = [
  'add-message',
  'say',
  'say-first-message',
  'control',
  'hangup',
  'room.leave',
  'room.played',
  'room.cleared',
  'room.resume',
  'room.words',
  'none',
]
/** Frames of one client: fewer than what a room takes at once, and more. */
const MOST_FRAMES = 60
const CLOSE_LIMIT_MS = 5_000
/** Calls that the doors made, and that nobody joins, fill the house for so long. */
const UNJOINED_MS = 16_000
/** How the protocol has a server close a client that misbehaves, or that left; 1006: cut without a word. */
const CLOSES = new Set([1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1013])

export interface RoomReport {
  rooms: number
  closes: Record<number, number>
  failures: string[]
}

/** Clients that send anything at all into rooms of their own, half of them opened with the public key, beside one that only listens and must not be disturbed. */
export async function fuzzRooms(
  url: string,
  keys: DoorKeys,
  seed: number,
  count: number,
): Promise<RoomReport> {
  const report: RoomReport = { rooms: 0, closes: {}, failures: [] }
  await delay(UNJOINED_MS)
  const other = await WireCall.join({ url, platformKey: keys.platformPrivate })
  await other.until('the greeting is heard', () => other.audioBytes > 0)
  for (let index = 0; index < count; index += 1) {
    const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x165667b1))
    const code = await one(url, keys, random)
    report.rooms += 1
    report.closes[code] = (report.closes[code] ?? 0) + 1
    if (!CLOSES.has(code) && (code < 4000 || code > 4999))
      report.failures.push(`room ${index}: closed with ${code}`)
  }
  await other.speaks().catch((error: Error) => report.failures.push(`the honest call: ${error.message}`))
  other.socket.close()
  return report
}

async function one(
  url: string,
  { platformPublic, platformPrivate, assistantId }: DoorKeys,
  random: Random,
): Promise<number> {
  const protocols = random.chance(0.5) ? ['room.v1'] : []
  // Everybody comes from somewhere else: one address may begin so many calls and WebSockets in a minute.
  const forwardedFor = `10.${random.below(256)}.${random.below(256)}.1`
  const assistant = { firstMessage: 'Hello.' }
  const call = random.chance(0.5)
    ? await WireCall.joinAs(
        { url, platformKey: platformPublic },
        { assistantId, assistantOverrides: assistant },
        { protocols, forwardedFor },
      )
    : await WireCall.joinAs({ url, platformKey: platformPrivate }, { assistant }, { protocols, forwardedFor })
  for (let left = random.below(MOST_FRAMES); left > 0 && call.socket.readyState === WebSocket.OPEN; left -= 1)
    send(call, random)
  if (random.chance(0.2)) call.socket.terminate()
  else call.socket.close(1000)
  const end = await Promise.race([call.closed, delay(CLOSE_LIMIT_MS, undefined, { ref: false })])
  call.socket.terminate()
  return end?.code ?? 0
}

/** Mostly what a room reads: the first frame that it cannot read ends the call. */
function send({ socket, stream }: WireCall, random: Random): void {
  const kind = random.next()
  if (kind < 0.35) socket.send(Buffer.from(random.several(0, 640, () => random.below(256))))
  else if (kind < 0.92) socket.send(JSON.stringify(message(random)))
  else if (kind < 0.935) socket.send(random.pick(PIECES))
  else if (kind < 0.95) socket.send(Buffer.alloc(random.below(70_000)))
  else if (kind < 0.985) socket.ping(random.pick(PIECES).slice(0, 20))
  else if (kind < 0.992) socket.send(`{"type":"add-message","message":${'['.repeat(random.below(5_000))}`)
  else stream.write(Buffer.from(random.several(1, 50, () => random.below(256))))
}

function message(random: Random): object {
  const any = () => random.pick<unknown>([random.pick(PIECES), null, -1, 1e308, {}, [], true, 7])
  return {
    type: random.chance(0.9) ? random.pick(TYPES) : any(),
    id: any(),
    ...(random.chance(0.5) && {
      message: random.pick([any(), { role: 'user', content: random.pick(PIECES) }]),
    }),
    ...(random.chance(0.3) && {
      control: any(),
      playedMs: any(),
      received: any(),
      words: any(),
      final: any(),
    }),
  }
}
