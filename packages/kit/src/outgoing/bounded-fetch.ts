import { jsonExcess } from '../json-excess/json-excess.js'
import { boundedBytes } from './bounded-bytes.js'

/** The most that an answer may have. */
export interface AnswerBounds {
  /** Of its body, unpacked. */
  bytes: number
  /** Of its JSON: a few million take seconds and gigabytes to be parsed. */
  values: number
}

/** What a page of a list has room in: a hundred calls with all that was said. */
const LIST: AnswerBounds = { bytes: 32_000_000, values: 500_000 }
/** Far more than any other answer has. */
const ANSWER: AnswerBounds = { bytes: 4_000_000, values: 50_000 }

/** Statuses whose answers have no body. */
const BODILESS: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])

/**
 * A `fetch` for the service that an installation builds on, which may be anybody's. An answer is read whole and measured before anyone parses it. It
 * rejects with a `RangeError` for one with more bytes or values than its bounds, and stops reading there. A redirect is an answer of its own, and is
 * not followed: it would carry keys to another host. Bodies are not streamed.
 */
export function boundedFetch(
  reach: typeof fetch = (...asked) => fetch(...asked),
  boundsOf: (method: string) => AnswerBounds = (method) => (method === 'GET' ? LIST : ANSWER),
): typeof fetch {
  return async (input, init) => {
    const answer = await reach(input, { ...init, redirect: 'manual' })
    if (!answer.body || BODILESS.has(answer.status)) return answer
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const bounds = boundsOf(method.toUpperCase())
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    const bytes = await boundedBytes(answer, bounds.bytes, signal)
    if (await jsonExcess(bytes.toString('utf8'), bounds))
      throw new RangeError('the JSON has too many values, or too many levels')
    const headers = new Headers(answer.headers)
    // They are of the packed body.
    headers.delete('content-encoding')
    headers.delete('content-length')
    return new Response(bytes, { status: answer.status, statusText: answer.statusText, headers })
  }
}
