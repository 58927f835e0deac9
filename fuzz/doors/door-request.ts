import { mutated } from '../../packages/backend/src/testing/fuzz/mutation.js'
import { PIECES } from '../../packages/backend/src/testing/fuzz/pieces.js'
import { Random } from '../../packages/backend/src/testing/fuzz/random.js'
import type { WireRequest } from '../../packages/backend/src/testing/wire.js'
import type { DoorKeys } from './door-keys.js'

export const DOORS = ['webhook', 'web-call', 'hook', 'platform', 'events'] as const
export type Door = (typeof DOORS)[number]

export interface DoorRequest {
  door: Door
  request: WireRequest
  /** Whether it was left as a well-behaved client writes it. */
  valid: boolean
}

const VALID_SHARE = 0.4
const JSON_BODY: [string, string] = ['content-type', 'application/json']

/** Request number `index` of a seed: the same one always, but for the server's keys. */
export function doorRequest(seed: number, index: number, keys: DoorKeys): DoorRequest {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x27d4eb2f))
  const door = random.pick(DOORS)
  const wanted = MADE[door](random, keys)
  const valid = random.chance(VALID_SHARE)
  const request = valid ? wanted : strange(wanted, random)
  // Everybody comes from somewhere else: the limits of one address would refuse the rest at the door.
  const from: [string, string] = ['x-forwarded-for', `10.${random.below(256)}.${random.below(256)}.1`]
  const { body, ...bodiless } = { ...request, headers: [...request.headers, from] }
  const takesBody = request.method !== 'GET' && request.method !== 'HEAD' && body !== undefined
  return { door, valid, request: { ...bodiless, path: sendable(request.path), ...(takesBody && { body }) } }
}

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

const MADE: Record<Door, (random: Random, keys: DoorKeys) => WireRequest> = {
  webhook: (random) => post('/-/backend/functions/v1/call-me', phoneAndSlug(random), keyed(random)),
  'web-call': (random) => post('/-/backend/functions/v1/web-call', { slug: slug(random) }),
  hook: (random, { hookSecret }) =>
    post('/-/hooks/platform', { message: message(random) }, [
      random
        .pick([['x-vapi-secret', hookSecret] as const, ['authorization', `Bearer ${hookSecret}`] as const])
        .map(String) as [string, string],
    ]),
  platform: platformRequest,
  events: (random) =>
    random.chance(0.5)
      ? { method: 'GET', path: `/-/calls/${uuid(random)}/events`, headers: [] }
      : { method: 'GET', path: `/-/human-check?slug=${slug(random)}`, headers: [] },
}

const SOCKET = {
  provider: 'vapi.websocket',
  audioFormat: { format: 'pcm_s16le', container: 'raw', sampleRate: 16_000 },
}

function platformRequest(
  random: Random,
  { platformPrivate, platformPublic, assistantId }: DoorKeys,
): WireRequest {
  const key = random.chance(0.4) ? platformPublic : platformPrivate
  const bearer: [string, string] = ['authorization', `Bearer ${key}`]
  const path = (rest: string) => `/-/platform/${rest}`
  const assistant = { name: 'Fuzzed', firstMessage: 'Hello.', model: { provider: 'openai', model: 'gpt-4o' } }
  const wanted: readonly (() => WireRequest)[] = [
    () => post(path('call/web'), { assistantId, assistantOverrides: { firstMessage: 'Hello.' } }, [bearer]),
    () => post(path('call'), { assistantId, name: 'Fuzzed', transport: SOCKET }, [bearer]),
    () => post(path('assistant'), assistant, [bearer]),
    () =>
      post(path('token'), { tag: 'public', restrictions: { enabled: true, allowedOrigins: [] } }, [bearer]),
    () => post(path(`call/${uuid(random)}/control`), { type: 'say', content: 'Hello.' }, [bearer]),
    () => ({ ...post(path(`assistant/${uuid(random)}`), { name: 'New' }, [bearer]), method: 'PATCH' }),
    () => ({ ...post(path(`call/${uuid(random)}`), { name: 'New' }, [bearer]), method: 'PATCH' }),
    ...['assistant', 'v2/assistant', 'call', 'v2/call', 'token', `call/${uuid(random)}`].map(
      (rest) => (): WireRequest => ({
        method: 'GET',
        path: path(`${rest}?limit=${random.below(50)}&createdAtGe=2026-01-01T00:00:00Z`),
        headers: [bearer],
      }),
    ),
    () => ({ method: 'DELETE', path: path(`assistant/${uuid(random)}`), headers: [bearer] }),
  ]
  return random.pick(wanted)()
}

function post(path: string, body: object, headers: [string, string][] = []): WireRequest {
  return { method: 'POST', path, headers: [JSON_BODY, ...headers], body: JSON.stringify(body) }
}

const uuid = (random: Random) => `00000000-0000-4000-8000-${String(random.below(1e12)).padStart(12, '0')}`
const slug = (random: Random) => random.pick(['default', 'DEFAULT', 'riverside-dental', 'nobody'])
const phoneAndSlug = (random: Random) => ({
  phone: `+1${random.pick([212, 312, 415, 604])}${String(2_000_000 + random.below(7_999_999))}`,
  slug: slug(random),
})
const keyed = (random: Random): [string, string][] =>
  random.chance(0.3) ? [['idempotency-key', `key-${random.below(500)}`]] : []

const message = (random: Random) => ({
  type: random.pick(['status-update', 'end-of-call-report', 'transcript', 'hang', 'speech-update']),
  status: random.pick(['ringing', 'in-progress', 'ended']),
  endedReason: random.pick(['customer-ended-call', 'customer-busy', 'silence-timed-out']),
  timestamp: 1.7e12 + random.below(1e9),
  cost: random.below(100) / 10,
  transcriptType: 'final',
  transcript: random.pick(['Hello.', 'Please stop calling me!']),
  role: random.pick(['user', 'assistant']),
  artifact: { transcript: 'User: Hello.', messages: [] },
  analysis: { summary: 'Short.' },
  call: { id: uuid(random), type: random.pick(['outboundPhoneCall', 'webCall', 'vapi.websocketCall']) },
})

/** What an HTTP client can write in its first line; everything else comes encoded. */
function sendable(path: string): string {
  const whole = path.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\xff]/gu, encodeURIComponent)
  return whole.startsWith('/') ? whole : `/${whole}`
}
