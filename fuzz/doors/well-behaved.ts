import type { Random } from '../../packages/backend/src/testing/fuzz/random.js'
import type { WireRequest } from '../../packages/backend/src/testing/wire.js'
import type { Door } from './door.js'
import type { DoorKeys } from './door-keys.js'
import type { Told } from './told.js'

type Header = [name: string, value: string]
type Make = (random: Random, keys: DoorKeys, told: Told) => WireRequest

export const HOOK = '/-/hooks/platform'
const FUNCTIONS = '/-/backend/functions/v1'
const JSON_BODY: Header = ['content-type', 'application/json']
/** A call at a socket, as `POST /call` makes it. */
const SOCKET = {
  provider: 'vapi.websocket',
  audioFormat: { format: 'pcm_s16le', container: 'raw', sampleRate: 16_000 },
}

const platformMessage: Make = (random, _, told) => post(HOOK, { message: message(random, told) })

/** A request as a client writes it that means no harm, for each door. Messages to the hook still lack their proof. */
export const WELL_BEHAVED: Record<Door, Make> = {
  webhook: (random) => post(`${FUNCTIONS}/call-me`, phoneAndSlug(random), keyed(random)),
  'web-call': (random) => post(`${FUNCTIONS}/web-call`, { slug: slug(random) }),
  'web-call-note': (random, _, { webCalls }) =>
    post(`${FUNCTIONS}/web-call-note`, { slug: slug(random), callId: oneOf(webCalls, random) }),
  hook: platformMessage,
  'signed-hook': platformMessage,
  platform: platformRequest,
  chat: chatRequest,
  events: (random, _, { calls }) => ({
    method: 'GET',
    path: `/-/calls/${oneOf(calls, random)}/events`,
    headers: [],
  }),
  challenge: (random) => ({ method: 'GET', path: `/-/human-check?slug=${slug(random)}`, headers: [] }),
}

function platformRequest(
  random: Random,
  { platformPrivate, platformPublic, assistantId }: DoorKeys,
  { webCalls }: Told,
): WireRequest {
  const bearer = bearerOf(random.chance(0.4) ? platformPublic : platformPrivate)
  const call = oneOf(webCalls, random)
  const path = (rest: string) => `/-/platform/${rest}`
  const assistant = { name: 'Fuzzed', firstMessage: 'Hello.', model: { provider: 'openai', model: 'gpt-4o' } }
  const wanted: readonly (() => WireRequest)[] = [
    () => post(path('call/web'), { assistantId, assistantOverrides: { firstMessage: 'Hello.' } }, [bearer]),
    () => post(path('call'), { assistantId, name: 'Fuzzed', transport: SOCKET }, [bearer]),
    () => post(path('assistant'), assistant, [bearer]),
    () =>
      post(path('token'), { tag: 'public', restrictions: { enabled: true, allowedOrigins: [] } }, [bearer]),
    () => post(path(`call/${call}/control`), { type: 'say', content: 'Hello.' }, [bearer]),
    () => ({ ...post(path(`assistant/${uuid(random)}`), { name: 'New' }, [bearer]), method: 'PATCH' }),
    () => ({ ...post(path(`call/${call}`), { name: 'New' }, [bearer]), method: 'PATCH' }),
    ...['assistant', 'v2/assistant', 'call', 'v2/call', 'token', `call/${call}`].map(
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

function chatRequest(
  random: Random,
  { platformPrivate, platformPublic, assistantId }: DoorKeys,
  { sessions }: Told,
): WireRequest {
  const isPublic = random.chance(0.5)
  const rest = random.pick([
    'chat/web',
    'chat/web/responses',
    ...(isPublic ? [] : ['chat', 'chat/responses']),
  ])
  const session = oneOf(sessions, random)
  const body = {
    assistantId,
    input: random.pick(['Hello.', 'When are you open?']),
    ...(random.chance(0.3) && { sessionId: session }),
    ...(random.chance(0.5) && { stream: random.chance(0.5) }),
  }
  return post(`/-/platform/${rest}`, body, [bearerOf(isPublic ? platformPublic : platformPrivate)])
}

function post(path: string, body: object, headers: Header[] = []): WireRequest {
  return { method: 'POST', path, headers: [JSON_BODY, ...headers], body: JSON.stringify(body) }
}

const bearerOf = (key: string): Header => ['authorization', `Bearer ${key}`]
const uuid = (random: Random) => `00000000-0000-4000-8000-${String(random.below(1e12)).padStart(12, '0')}`

/** One of these ids in half of all cases, and otherwise one that nobody has. */
function oneOf(ids: readonly string[], random: Random): string {
  // All of it is drawn always: what follows stays the same, however many there are.
  const [isKnown, place, madeUp] = [random.chance(0.5), random.next(), uuid(random)]
  return (isKnown ? ids[Math.floor(place * ids.length)] : undefined) ?? madeUp
}

const slug = (random: Random) => random.pick(['default', 'DEFAULT', 'riverside-dental', 'nobody'])
const phoneAndSlug = (random: Random) => ({
  phone: `+1${random.pick([212, 312, 415, 604])}${String(2_000_000 + random.below(7_999_999))}`,
  slug: slug(random),
})
const keyed = (random: Random): Header[] =>
  random.chance(0.3) ? [['idempotency-key', `key-${random.below(500)}`]] : []

const message = (random: Random, { webCalls }: Told) => ({
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
  call: {
    id: oneOf(webCalls, random),
    type: random.pick(['outboundPhoneCall', 'webCall', 'vapi.websocketCall']),
  },
})
