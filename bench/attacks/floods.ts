import { LOOKAHEAD, VISITORS } from '../../attacks/aims/reads.js'
import type { Asked } from '../../attacks/ask.js'
import { stranger, times } from '../../attacks/attack.js'

/** What an attacker knows of the server: all of it is in its pages. */
export interface Aim {
  url: string
  keys: { publishable: string; platformPublic: string }
  assistantId: string
}

/** One of many requests of an attacker. */
export interface Flood {
  what: string
  request(aim: Aim, place: number): Asked & { from: string; path: string }
}

const WEB_CALL = '/-/platform/call/web'
const readerOf = ({ keys }: Aim) => ({ apikey: keys.publishable, 'x-visitor-slug': 'default' })
const callerOf = ({ keys }: Aim) => ({ authorization: `Bearer ${keys.platformPublic}` })
const METADATA = { MEGABYTE: 'x'.repeat(1_000_000) }
const COLUMNS = times(1_500).map((place) => `c${place}:system`)

export const FLOODS: readonly Flood[] = [
  {
    what: 'regular expressions that look ahead',
    request: (aim, place) => ({
      from: stranger(place),
      path: `${VISITORS}?select=slug&system=match.${LOOKAHEAD}`,
      headers: readerOf(aim),
    }),
  },
  {
    what: 'a column 1,500 times',
    request: (aim, place) => ({
      from: stranger(place),
      path: `${VISITORS}?select=${COLUMNS}`,
      headers: readerOf(aim),
    }),
  },
  {
    what: 'reads of all that is listed',
    request: (aim, place) => ({
      from: stranger(place),
      path: `${VISITORS}?select=*&system=ilike.*a*e*i*o*`,
      headers: readerOf(aim),
    }),
  },
  {
    what: 'guesses of slugs from one address',
    request: (_, place) => ({ from: stranger(1), path: `/lead-${place}` }),
  },
  {
    what: 'browser calls from one address',
    request: (aim) => ({
      from: stranger(2),
      path: WEB_CALL,
      body: { assistantId: aim.assistantId },
      headers: callerOf(aim),
    }),
  },
  {
    what: 'browser calls with a megabyte of metadata',
    request: (aim, place) => ({
      from: stranger(place),
      path: WEB_CALL,
      body: bodyWithMetadata(aim.assistantId),
      headers: callerOf(aim),
    }),
  },
  {
    what: 'streams of unknown calls',
    request: (_, place) => ({
      from: stranger(place % 20),
      path: `/-/calls/${crypto.randomUUID()}/events`,
    }),
  },
  {
    what: 'requests of a foreign page',
    request: (_, place) => ({
      from: stranger(place),
      path: '/-/backend/functions/v1/call-me',
      headers: { origin: 'https://evil.example' },
      body: { phone: '+14155552671', slug: 'default' },
    }),
  },
]

let metadata: string | undefined

/** The same text for all of them: to write a megabyte of JSON takes the attacker longer than to send it. */
function bodyWithMetadata(assistantId: string): string {
  metadata ??= JSON.stringify({ assistantId, assistantOverrides: { metadata: METADATA } })
  return metadata
}
