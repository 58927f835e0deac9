import { stranger, times } from '../../attacks/attack.js'
import type { Target } from '../../attacks/target.js'

/** One of many requests of an attacker. */
export interface Flood {
  what: string
  send(target: Target, place: number): Promise<unknown>
}

const VISITORS = '/-/backend/rest/v1/visitors'
const WEB_CALL = '/-/platform/call/web'
const readerOf = ({ keys }: Target) => ({ apikey: keys.publishable, 'x-visitor-slug': 'default' })
const callerOf = ({ keys }: Target) => ({ authorization: `Bearer ${keys.platformPublic}` })
const MEGABYTE = 'x'.repeat(1_000_000)
const LOOKAHEAD = encodeURIComponent(`(?=(a|a?)+$)${'(?=.*.*.*.*.*b)'.repeat(20)}`)
const COLUMNS = times(1_500).map((place) => `c${place}:system`)

export const FLOODS: readonly Flood[] = [
  {
    what: 'regular expressions that look ahead',
    send: (target, place) =>
      target.status(stranger(place), `${VISITORS}?select=slug&system=match.${LOOKAHEAD}`, {
        headers: readerOf(target),
      }),
  },
  {
    what: 'a column 1,500 times',
    send: (target, place) =>
      target.status(stranger(place), `${VISITORS}?select=${COLUMNS}`, { headers: readerOf(target) }),
  },
  {
    what: 'reads of all that is listed',
    send: (target, place) =>
      target.status(stranger(place), `${VISITORS}?select=*&system=ilike.*a*e*i*o*`, {
        headers: readerOf(target),
      }),
  },
  {
    what: 'guesses of slugs from one address',
    send: (target, place) => target.status(stranger(1), `/lead-${place}`),
  },
  {
    what: 'browser calls from one address',
    send: (target) =>
      target.status(stranger(2), WEB_CALL, {
        body: { assistantId: target.assistantId },
        headers: callerOf(target),
      }),
  },
  {
    what: 'browser calls with a megabyte of metadata',
    send: (target, place) =>
      target.status(stranger(place), WEB_CALL, {
        body: { assistantId: target.assistantId, assistantOverrides: { metadata: { MEGABYTE } } },
        headers: callerOf(target),
      }),
  },
  {
    what: 'streams of unknown calls',
    send: (target, place) => target.status(stranger(place % 20), `/-/calls/${crypto.randomUUID()}/events`),
  },
  {
    what: 'requests of a foreign page',
    send: (target, place) =>
      target.status(stranger(place), '/-/backend/functions/v1/call-me', {
        headers: { origin: 'https://evil.example' },
        body: { phone: '+14155552671', slug: 'default' },
      }),
  },
]
