import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { Resolve } from '@heyline/kit/guarded-lookup'
import { guardedAnswer } from './guarded-request.js'

/** Statuses whose answers have no body (https://fetch.spec.whatwg.org/#null-body-status). */
const NO_BODY = new Set([204, 205, 304])

/**
 * A `fetch` of texts for addresses that somebody has chosen. Nothing but what was checked is connected to: rejects with a `RefusedAddressError` where
 * the address, or what its name leads to, is refused. Redirects are not followed.
 */
export function guardedFetch(options: { allowPrivate: boolean; resolve?: Resolve }): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { method, url, headers, signal } = request
    const body = request.body ? await request.text() : undefined
    const asked = { method, url, headers: Object.fromEntries(headers), body }
    const answer = await guardedAnswer(asked, { ...options, signal })
    const { statusCode: status = 0 } = answer
    if (status >= 300 && status < 400) {
      answer.destroy()
      throw new Error(`${new URL(url).origin} redirects, and redirects are not followed`)
    }
    if (!NO_BODY.has(status))
      return new Response(Readable.toWeb(answer) as NodeStream as ReadableStream, { status })
    answer.resume()
    return new Response(null, { status })
  }
}
