import { humanToken } from '../../packages/call-desk/src/testing/human-token.js'
import { type Attack, stranger, times } from '../attack.js'
import type { AttackedServer } from '../attacked-server.js'
import type { Target } from '../target.js'

export const CALL_ME = '/-/backend/functions/v1/call-me'
export const CHECKED = { CALL_GATE: 'full', HUMAN_CHECK: 'altcha' }

export const callMe = (
  target: AttackedServer,
  from: string,
  phone: string,
  headers: Record<string, string> = {},
  slug = 'default',
) => target.ask(from, CALL_ME, { body: { phone, slug }, headers })

/** A visitor who does everything right: 0, or 1 where the call is refused. */
async function honestRefused(target: Target, from: string, phone: string, slug = 'default'): Promise<number> {
  const forwarded = { 'x-forwarded-for': from }
  const token = await humanToken(target.url, slug, forwarded)
  return (await callMe(target, from, phone, { 'x-human-check': token }, slug)).status === 202 ? 0 : 1
}

const MADE_UP = Buffer.from('{"challenge":{},"solution":{}}').toString('base64')
const NO_CHECKS: readonly Record<string, string>[] = [
  {},
  { 'x-human-check': 'nonsense' },
  { 'x-human-check': MADE_UP },
]

/** A request for a number or one of its neighbours, without a human check or with one that is none. */
export function uncheckedCall(target: AttackedServer, place: number): Promise<Response> {
  const phone = `+1415555${2671 + (place % 6)}`
  return callMe(target, stranger(place % 20), phone, NO_CHECKS[place % NO_CHECKS.length])
}

/** Three requests were enough to close ten thousand numbers. */
export const withoutChecks: Attack = {
  aim: 'other people’s numbers: requests without a human check, or with a made-up one, for a number and its neighbours',
  settings: CHECKED,
  bounds: [
    { what: 'honest requests refused, for that number', before: '1 of 1', most: 0 },
    { what: 'requests that were accepted', before: '0', most: 0 },
  ],
  async run(target) {
    const asked = times(60).map(async (place) => (await uncheckedCall(target, place)).status)
    const statuses = await Promise.all(asked)
    const refused = await honestRefused(target, stranger(500), '+14155552671')
    return [refused, statuses.filter((status) => status === 202).length]
  },
}

export const MISTYPED = ['+1415555', '+447400123456']

/** A typing error, and a number abroad, are no attempts to call. */
export const mistyped: Attack = {
  aim: 'one’s own address: mistyped and foreign numbers, and then the right one',
  settings: CHECKED,
  bounds: [{ what: 'honest requests refused', before: '1 of 1, for an hour', most: 0 }],
  async run(target) {
    const from = stranger(1)
    for (const phone of MISTYPED) await honestRefused(target, from, phone)
    return [await honestRefused(target, from, '+14155552671')]
  },
}

/** Of the call that this answer tells; undefined where it tells none. */
export const idOf = async (answer: Response): Promise<unknown> =>
  Reflect.get(Object(await answer.json()), 'id')

/** Somebody's number, asked for from other pages while its call is under way. */
export const inFlight: Attack = {
  aim: 'somebody’s call: its number, asked for while it is under way, from another page and from the same one',
  settings: { CALL_LIMIT_SLUG_CONCURRENT: '5' },
  bounds: [
    { what: 'other pages that were told that a call comes', before: '3 of 3', most: 0 },
    { what: 'ids of the call that were told', before: '4 of 4', most: 0 },
  ],
  async run(target) {
    await target.addVisitors(times(3).map((place) => ({ slug: `page-${place}`, name: 'Ann' })))
    const phone = '+14155552671'
    const own = await idOf(await callMe(target, stranger(1), phone))
    if (typeof own !== 'string') throw new Error('The first call was refused')
    const others = await Promise.all(
      times(3).map((place) => callMe(target, stranger(place + 2), phone, {}, `page-${place}`)),
    )
    const same = await callMe(target, stranger(9), phone)
    const ids = await Promise.all([...others, same].map(idOf))
    const told = others.filter(({ status }) => status === 202)
    return [told.length, ids.filter((id) => id === own).length]
  },
}

/** Numbers that nobody has fail at the carrier, as all calls do where a provider is down. */
export const emptyNumbers: Attack = {
  aim: 'everybody’s phone calls: five numbers that nobody has, from three addresses of one network; then five from five networks, where the carrier says why they fail',
  settings: { CARRIER: 'twilio', CALL_LIMIT_STARTS: '20/1m' },
  bounds: [
    { what: 'honest calls not dialled', before: '1 of 1, until an operator resumed', most: 0 },
    {
      what: 'honest calls not dialled after those from five networks',
      before: '1 of 1, until an operator resumed',
      most: 0,
    },
  ],
  async run(target) {
    const { platformPrivate, secret } = target.keys
    await target.addVisitors(times(12).map((place) => ({ slug: `page-${place}`, name: 'Ann' })))
    await target.ask('127.0.0.1', '/-/platform/phone-number', {
      body: { provider: 'twilio', number: '+12025550199' },
      headers: { authorization: `Bearer ${platformPrivate}` },
    })
    const areas = ['212', '312', '415', '206', '303', '404', '512', '602', '617', '702', '213', '214']
    let asked = 0
    /** Resolves with 1 where a call to a further number, from a further page, is not dialled and over within ten seconds. */
    const lost = async (from: string): Promise<number> => {
      const phone = `+1${areas[asked]}5550123`
      await callMe(target, from, phone, {}, `page-${asked++}`)
      for (const _ of times(100)) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        const headers = { authorization: `Bearer ${secret}` }
        const { calls } = await (await target.ask('127.0.0.1', '/-/office/calls?limit=1', { headers })).json()
        const isOver = ['ended', 'failed', 'refused'].includes(calls[0]?.state)
        if (isOver) return target.carrier.dialled.includes(phone) ? 0 : 1
      }
      return 1
    }
    for (const subnet of [1, 1, 2, 2, 3]) await lost(`2001:db8:1:${subnet}::1`)
    const honest = await lost('203.0.113.1')
    target.carrier.sipCode = '404'
    for (const place of times(5)) await lost(stranger(place))
    return [honest, await lost('203.0.114.1')]
  },
}

/** Begins to follow a call until `leaving`. */
export const followed = (
  { url }: AttackedServer,
  from: string,
  id: string,
  leaving: AbortSignal,
): Promise<Response> =>
  fetch(`${url}/-/calls/${id}/events`, { headers: { 'x-forwarded-for': from }, signal: leaving })

/** Streams that follow calls, opened by strangers until there are no more. */
export const followers: Attack = {
  aim: 'live status: hundreds of streams that follow an unknown call, or the attacker’s own',
  settings: { LIVE_STATUS: 'on' },
  bounds: [{ what: 'honest streams refused', before: '1 of 1', most: 0 }],
  async run(target) {
    await target.addVisitors([{ slug: 'ann', name: 'Ann' }])
    const ids = await Promise.all(
      ['+14155552671', '+12125552671'].map(async (phone, place) => {
        const slug = place === 0 ? 'default' : 'ann'
        const answer = await callMe(target, stranger(900 + place), phone, {}, slug)
        const { id }: { id?: string } = await answer.json()
        if (!id) throw new Error(`The call was refused: ${answer.status}`)
        return id
      }),
    )
    const [mine = '', honest = ''] = ids
    const leaving = new AbortController()
    const follow = (from: string, id: string) => followed(target, from, id, leaving.signal)
    await Promise.all(
      times(600).map(async (place) => {
        const id = place % 2 === 0 ? mine : crypto.randomUUID()
        await follow(stranger(place % 60), id).catch(() => undefined)
      }),
    )
    const answer = await follow(stranger(901), honest)
    leaving.abort()
    return [answer.status === 200 ? 0 : 1]
  },
}

/** A page of a stranger, in a visitor's browser. */
export const foreignPages: Attack = {
  aim: 'visitors’ browsers: a stranger’s page that asks for calls from them',
  settings: { ...CHECKED, LIVE_STATUS: 'on' },
  bounds: [{ what: 'answers other than a refusal', before: 'all', most: 0 }],
  async run(target) {
    const headers = { origin: 'https://evil.example' }
    const statuses = await Promise.all([
      target.status(stranger(1), CALL_ME, { headers, body: { phone: '+14155552671', slug: 'default' } }),
      target.status(stranger(2), '/-/backend/functions/v1/web-call', { headers, body: { slug: 'default' } }),
      target.status(stranger(3), '/-/human-check?slug=default', { headers }),
      target.status(stranger(4), `/-/calls/${crypto.randomUUID()}/events`, { headers }),
    ])
    return [statuses.filter((status) => status !== 403).length]
  },
}

/** Numbers that nobody answers, each of another page, address and block: they cost speech. */
export const simulatedCalls: Attack = {
  aim: 'speech: three hundred simulated calls, each with another number, page and network',
  bounds: [
    { what: 'calls', before: '300', most: 5 },
    { what: 'speech requests', before: '1,500', most: 50 },
  ],
  async run(target) {
    const pages = times(30).map((place) => ({ slug: `page-${place}`, name: 'Ann' }))
    await target.addVisitors(pages)
    const areas = [212, 312, 415, 206, 303, 404, 512, 602, 617, 702]
    const answers = await Promise.all(
      times(300).map((place) =>
        callMe(target, stranger(place), `+1${areas[place % 10]}${201 + place}2671`, {}, `page-${place % 30}`),
      ),
    )
    const { length } = answers.filter(({ status }) => status === 202)
    const speech = () => target.engineRequests.filter(({ path }) => path.endsWith('/audio/speech')).length
    // Until no more is asked for in half a second.
    for (let before = -1; before < speech(); ) {
      before = speech()
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    return [length, speech()]
  },
}
