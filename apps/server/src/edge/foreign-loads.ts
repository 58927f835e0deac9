import type { IncomingMessage } from 'node:http'
import { pathOf } from './request-path.js'

/** The events of a call. A page that may follow it names its origin. */
const EVENTS = /^\/-\/calls\/[^/]+\/events\/?$/

/**
 * Whether a page of another site has a browser load a page of ours into itself, as a picture, a script or a frame, or fetch it ahead. No person has
 * opened it, and the requests would count against whoever looks at that page: as guesses of pages, and as streams of events. Browsers say so by Fetch
 * Metadata (https://www.w3.org/TR/fetch-metadata/), which a page cannot change; other clients say nothing, and are counted.
 */
export function isForeignLoad(request: IncomingMessage): boolean {
  const { headers } = request
  if (headers['sec-fetch-site'] !== 'cross-site') return false
  const path = pathOf(request)
  if (path.startsWith('/-/')) return headers.origin === undefined && EVENTS.test(path)
  return headers['sec-fetch-dest'] !== 'document' || headers['sec-purpose'] !== undefined
}

/** Whether a page of another origin than the one that is asked begins a WebSocket. */
export function isForeignHandshake({ headers: { origin, host } }: IncomingMessage): boolean {
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase()
}
