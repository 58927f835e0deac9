import type { IncomingMessage } from 'node:http'
import { isOpened } from '../http/foreign-pages.js'
import { pathOf } from './request-path.js'

/** The events of a call. A page that may follow it names its origin. */
const EVENTS = /^\/-\/calls\/[^/]+\/events\/?$/

/**
 * Whether a page of another site has a browser load a page of ours into itself, as a picture, a script or a frame, or fetch it ahead. No person has
 * opened it, and nothing of ours needs that: it is refused. Browsers say so by Fetch Metadata (https://www.w3.org/TR/fetch-metadata/), which a page
 * cannot change; other clients say nothing.
 */
export function isForeignLoad(request: IncomingMessage): boolean {
  const { headers } = request
  if (headers['sec-fetch-site'] !== 'cross-site') return false
  const path = pathOf(request)
  if (path.startsWith('/-/')) return headers.origin === undefined && EVENTS.test(path)
  return !isOpened(request)
}
