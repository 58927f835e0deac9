import type { IncomingMessage } from 'node:http'
import { readText } from '@heyline/call-desk'
import { isStorable } from '@heyline/kit/storable'
import { isAutomation, type Opening } from '@heyline/timeline'
import { z } from 'zod'
import type { Page } from '../ends/page-end.js'
import type { UnfinishedWork } from '../ends/unfinished-work.js'
import { type Asker, placeOfAsker } from './asker.js'
import type { ClientAddresses } from './client-addresses.js'
import type { LookupTurns } from './lookup-turns.js'

export interface OpensRouteOptions {
  /** Stores them; nobody waits. */
  take: (opening: Opening) => void
  find: Page['find']
  /** Slows down who guesses slugs; undefined: nobody. */
  turns?: LookupTurns | undefined
  clients: ClientAddresses
  work: UnfinishedWork
  /** Whether the cookie of these headers is an operator's who is signed in. */
  isOperator: (headers: Headers, address: string) => Promise<boolean>
}

/** Answers what a page tells: that somebody has opened it. */
export type OpensRoute = (request: Request, incoming: IncomingMessage) => Promise<Response>

/** Longest body, in bytes; and longest slug, in characters. */
const MOST_BYTES = 512
const posted = z.object({ slug: z.string().min(1).max(250).refine(isStorable) })

/** A page on a static host may have the answer, too: a browser counts one that it may not have as a failure. */
const TAKEN = { 'cache-control': 'no-store', 'cross-origin-resource-policy': 'cross-origin' }

/** Longest that a visitor is looked for, turns and all, in ms. */
const LONGEST_MS = 8_000

/**
 * POST `{slug}` as text/plain: a beacon, for which no browser asks another origin beforehand. What is well-formed is answered with 204 at
 * once, whether or not it counts: nobody learns from it which slugs there are.
 */
export function opensRoute(options: OpensRouteOptions): OpensRoute {
  const { take, clients } = options
  return async (request, incoming) => {
    if (request.method !== 'POST')
      return refusal(405, 'method_not_allowed', 'Only POST here', { allow: 'POST' })
    const slug = await slugIn(request)
    if (slug instanceof Response) return slug
    const asker = clients.asker(request, incoming)
    const { headers } = request
    // Every browser says where a page is from that posts something.
    const isBrowser = headers.has('origin') && !isAutomation(headers) && !isPreview(headers)
    if (isBrowser && asker)
      take({
        opener: placeOfAsker(asker),
        find: () => visitorOf({ slug, headers, asker, incoming }, options),
      })
    return new Response(null, { status: 204, headers: TAKEN })
  }
}

interface Lookup {
  slug: string
  headers: Headers
  asker: Asker
  incoming: IncomingMessage
}

/**
 * The visitor's slug as stored, in the asker's turn, as the page looks for it. Undefined where there is none, where an operator looks, and
 * where the asker guesses slugs.
 */
async function visitorOf(
  { slug, headers, asker, incoming }: Lookup,
  { find, turns, work, isOperator }: OpensRouteOptions,
): Promise<string | undefined> {
  if (await isOperator(headers, asker.address)) return undefined
  const signal = AbortSignal.timeout(LONGEST_MS)
  let found: string | undefined
  const look = async () => {
    found = (await find(slug, signal, work.keeperOf(incoming)))?.slug
    return { isMiss: found === undefined }
  }
  const looked = turns
    ? turns.look(asker, look, {
        signal,
        isPatient: false,
        inLineOf: 'reads',
        unfinished: () => work.of(incoming),
      })
    : look()
  await looked.catch((error: unknown) => {
    // It waited behind others of its own for too long.
    if (!signal.aborted) throw error
  })
  return found
}

/** An operator's look at a page: its whole address comes along within our own origin. */
function isPreview(headers: Headers): boolean {
  const referrer = headers.get('referer') ?? ''
  return URL.canParse(referrer) && new URL(referrer).searchParams.has('preview')
}

async function slugIn(request: Request): Promise<string | Response> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'text/plain')
    return refusal(415, 'unsupported_media_type', 'The body is text/plain')
  try {
    const text = await readText(request, MOST_BYTES)
    if (text === undefined)
      return refusal(413, 'too_large', `The body must not be longer than ${MOST_BYTES} bytes`)
    return posted.parse(JSON.parse(text)).slug
  } catch {
    return refusal(400, 'invalid_json', 'The body is {"slug": "…"}')
  }
}

const refusal = (status: number, code: string, message: string, headers?: Record<string, string>): Response =>
  Response.json({ code, message }, { status, headers: { 'cache-control': 'no-store', ...headers } })
