import { mutated } from '../../packages/backend/src/testing/fuzz/mutation.js'
import { PIECES } from '../../packages/backend/src/testing/fuzz/pieces.js'
import { Random } from '../../packages/backend/src/testing/fuzz/random.js'
import type { WireRequest } from '../../packages/backend/src/testing/wire.js'
import { type BrowserCalls, DOORS, type Door } from './door.js'
import type { DoorKeys } from './door-keys.js'
import { plainProof, signedProof } from './hook-proof.js'
import type { Told } from './told.js'
import { HOOK, WELL_BEHAVED } from './well-behaved.js'

export interface DoorRequest {
  door: Door
  request: WireRequest
  /** The address that it comes from. */
  from: string
  /** A human check for this page is solved first, and sent along. */
  checkFor?: string
  /** Its proof is wrong: to take it would be an error. */
  isForged: boolean
}

export interface DoorRequestOptions {
  browserCalls: BrowserCalls
  keys: DoorKeys
  told: Told
}

const VALID_SHARE = 0.4
/** Of the requests that need a human check: each takes a sixth of a second of work. */
const CHECKED_SHARE = 0.2
const CHECKED = new Set<Door>(['webhook', 'web-call'])

/** Request number `index` of a seed: the same one always, but for the server's keys, what it told, and the time. */
export function doorRequest(
  seed: number,
  index: number,
  { browserCalls, keys, told }: DoorRequestOptions,
): DoorRequest {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x27d4eb2f))
  const door = random.pick<Door>(DOORS[browserCalls])
  const wanted = WELL_BEHAVED[door](random, keys, told)
  const request = random.chance(VALID_SHARE) ? wanted : strange(wanted, random)
  const proof = PROOFS[door]?.(random)
  // Everybody comes from somewhere else: the limits of one address would refuse the rest at the door.
  const from = `10.${random.below(256)}.${random.below(256)}.1`
  const { body, ...bodiless } = request
  const takesBody = request.method !== 'GET' && request.method !== 'HEAD' && body !== undefined
  const checkFor = CHECKED.has(door) && random.chance(CHECKED_SHARE) ? slugIn(wanted) : undefined
  const headers: WireRequest['headers'] = [
    ...request.headers,
    ...(proof?.headers(keys.hookSecret, takesBody ? body : '') ?? []),
    ['x-forwarded-for', from],
  ]
  return {
    door,
    from,
    isForged: proof?.isRight === false && request.path === HOOK,
    ...(browserCalls === 'minted' && checkFor !== undefined && { checkFor }),
    request: { ...bodiless, headers, path: sendable(request.path), ...(takesBody && { body }) },
  }
}

const PROOFS: Partial<Record<Door, typeof plainProof>> = { hook: plainProof, 'signed-hook': signedProof }

const slugIn = ({ body }: WireRequest): string => JSON.parse(String(body)).slug

/** Mostly what is in a body matters here, so a value of it is often another one. */
function strange(request: WireRequest, random: Random): WireRequest {
  if (request.body === undefined || random.chance(0.4)) return mutated(request, random)
  const body = JSON.stringify(withStrangeValue(JSON.parse(String(request.body)), random))
  return random.chance(0.7) ? { ...request, body } : mutated({ ...request, body }, random)
}

function withStrangeValue(value: unknown, random: Random): unknown {
  if (random.chance(0.15)) return random.pick(STRANGE)(random)
  if (Array.isArray(value)) return value.map((item) => withStrangeValue(item, random))
  if (typeof value !== 'object' || value === null)
    return random.chance(0.15) ? random.pick(STRANGE)(random) : value
  const fields = Object.entries(value).map(([name, field]) => [name, withStrangeValue(field, random)])
  if (random.chance(0.2)) fields.push([random.pick(PIECES), random.pick(STRANGE)(random)])
  return Object.fromEntries(fields)
}

const STRANGE: readonly ((random: Random) => unknown)[] = [
  (random) => random.pick(PIECES),
  (random) => random.pick(PIECES).repeat(1 + random.below(20)),
  () => null,
  () => [],
  () => ({}),
  () => true,
  (random) => random.pick([0, -1, 1.5, 1e308, 2 ** 53]),
  (random) =>
    JSON.parse('['.repeat(50 + random.below(200)).replace(/.*/, (open) => open + ']'.repeat(open.length))),
  (random) => 'x'.repeat(random.below(70_000)),
]

/** What an HTTP client can write in its first line; everything else comes encoded. */
function sendable(path: string): string {
  const whole = path.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\xff]/gu, encodeURIComponent)
  return whole.startsWith('/') ? whole : `/${whole}`
}
