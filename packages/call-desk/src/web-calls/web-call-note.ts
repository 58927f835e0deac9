import { type Db, erasedSince, lastErasure } from '@heyline/database'
import { RecentMap } from '@heyline/kit/recent-map'
import { isStorable } from '@heyline/kit/storable'
import { NoTurnError } from '@heyline/kit/waiting-line'
import { NotFoundError, type PlatformClient } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { z } from 'zod'
import { errorResponse } from '../call/call-error.js'
import { type ClientAddress, clientAt } from '../call/client-address.js'
import { ClientLine } from '../call/client-line.js'
import { ClientPlaces, REQUESTS_IN_LINE } from '../call/client-places.js'
import { readPostedJson } from '../call/page-request.js'
import type { VisitorLookup } from '../call/visitor-lookup.js'
import { platformCall } from '../news/platform-call.js'
import { errorCode } from '../run/error-code.js'
import { FloodLog } from '../run/flood-log.js'
import { Rate } from '../run/rate.js'
import type { Timings } from '../run/timings.js'
import { shareForgotten } from './forgotten-calls.js'
import { findWebCall, nameWebCall, storeUnasked } from './unasked-rows.js'
import type { WebGateSettings } from './web-gate-settings.js'

export interface WebCallNoteOptions {
  db: Db
  platform: PlatformClient
  assistantId: string
  settings: Pick<WebGateSettings, 'maxSeconds'>
  visitors: VisitorLookup
  addressOf?: (request: Request) => string | undefined
  timings: Pick<Timings, 'newsMs'>
  logger: Logger
}

const noteBody = z.strictObject({
  slug: z.string().min(1).max(200).refine(isStorable),
  callId: z.string().min(1).max(200).refine(isStorable),
})

/** Each may ask the platform, and nobody waits for the answer. */
const LINE = { atOnce: 2, waiting: 50, longestMs: 5000 }
/** More than one person begins, and a whole office behind one address. */
const MOST_PER_MINUTE = 30
/** The same for a network, and for all together: the key that asks a hosted platform also places phone calls. */
const MOST_OF_NETWORK = 120
const MOST_OF_ALL = 600
/** Notes of one call that name nobody, before none is looked at any more. A page sends one, and knows its visitor. */
const MOST_WRONG = 3
/** Calls whose wrong notes are remembered. */
const MOST_CALLS = 10_000
/** Longest answer of the platform's, in milliseconds. */
const PLATFORM_MS = 5000
/** How old a call may be that is noted for the first time. In milliseconds. */
const FRESH_MS = 10 * 60_000

/**
 * The function `web-call-note`: a page that started a call itself posts `{ slug, callId }`, so that the call has a visitor. Nothing that it
 * says is believed: there must be such a visitor, and such a call, in our records or at the platform, just begun, of our assistant. The first
 * note holds. Answers 204 whatever came of it, and is deaf for a call after three that named nobody, so that nobody learns who is a visitor.
 */
export function createWebCallNote({
  db,
  platform,
  assistantId,
  settings,
  visitors,
  addressOf,
  timings,
  logger,
}: WebCallNoteOptions): (request: Request) => Promise<Response> {
  const line = new ClientLine(LINE)
  const places = new ClientPlaces(REQUESTS_IN_LINE)
  const ofAddress = new Rate(MOST_PER_MINUTE)
  const ofNetwork = new Rate(MOST_OF_NETWORK)
  const ofAll = new Rate(MOST_OF_ALL)
  const wrong = new RecentMap<string, number>(MOST_CALLS)
  const flood = new FloodLog(logger)

  async function isOurs(callId: string): Promise<boolean> {
    try {
      const call = await platform.calls.get(callId, { signal: AbortSignal.timeout(PLATFORM_MS) })
      const { data } = freshCall.safeParse(call)
      if (data?.id !== callId || data.assistantId !== assistantId) return false
      return Math.abs(Date.now() - data.createdAt.getTime()) < FRESH_MS
    } catch (error) {
      if (error instanceof NotFoundError) return false
      throw error
    }
  }

  const mayAsk = (client: ClientAddress | undefined): boolean =>
    ofAddress.count(client?.address) && ofNetwork.count(client?.network) && ofAll.count('all')

  async function bind(callId: string, slug: string, client: ClientAddress | undefined): Promise<void> {
    const named = wrong.get(callId) ?? 0
    if (named >= MOST_WRONG) return
    // Before anything is waited for, so that many at once are no way around.
    wrong.set(callId, named + 1)
    const erasures = await lastErasure(db)
    const known = await findWebCall(db, callId)
    if (known ? known.slug !== '' : !(await isOurs(callId))) return
    const visitor = await visitors.find(slug, client)
    if (!visitor) return
    const isNamed = await db.transaction(async (tx) => {
      await shareForgotten(tx)
      if (await erasedSince(tx, erasures, visitor)) return false
      const begun = { callId, slug: visitor.slug, client }
      if (!known) await storeUnasked(tx, [begun], { ...settings, ...timings })
      // Its messages may have come first.
      await nameWebCall(tx, callId, visitor.slug)
      return true
    })
    if (!isNamed) return
    wrong.delete(callId)
    logger.info({ callId }, 'browser call noted')
  }

  return async (request) => {
    const text = await readPostedJson(request)
    if (text instanceof Response) return text
    const body = bodyOf(text)
    if (!body)
      return errorResponse('invalid_json', 'The body must be a JSON object of two texts: slug and callId.')
    const address = addressOf?.(request)
    const client = clientAt(address)
    const leave = places.take(client)
    if (!leave) return errorResponse('unavailable')
    try {
      if (mayAsk(address === undefined ? undefined : client))
        await line.run(client, () => bind(body.callId, body.slug, client))
    } catch (error) {
      if (error instanceof NoTurnError) return errorResponse('unavailable')
      flood.fault(errorCode(error), 'a browser call could not be noted')
    } finally {
      leave()
    }
    return new Response(null, { status: 204 })
  }
}

/** A call of the platform's as far as it must be ours. */
const freshCall = z.object({
  id: platformCall.shape.id,
  type: z.literal('webCall'),
  assistantId: z.string(),
  createdAt: z.coerce.date(),
})

function bodyOf(text: string): z.output<typeof noteBody> | undefined {
  try {
    return noteBody.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
