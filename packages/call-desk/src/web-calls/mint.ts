import { type Db, lastErasure } from '@heyline/database'
import type { Logger } from 'pino'
import { z } from 'zod'
import { errorResponse, failureResponse } from '../call/call-error.js'
import { clientAt } from '../call/client-address.js'
import { ClientLine } from '../call/client-line.js'
import { lookUpVisitor, readPostedJson } from '../call/page-request.js'
import type { Visitor, VisitorLookup } from '../call/visitor-lookup.js'
import { CHECKS } from '../human-check/challenge-turns.js'
import type { HumanCheck } from '../human-check/human-check.js'
import { createWebOverrides } from '../placing/assistant-overrides.js'
import { errorCode } from '../run/error-code.js'
import { FloodLog } from '../run/flood-log.js'
import { CHECK_HEADER, checkToken } from '../webhook/webhook.js'
import { makeWebCall, type Reserved, type WebCallMaker } from './made-web-call.js'
import type { WebCallReservation, WebReservations } from './web-reservations.js'

export interface MintOptions extends WebCallMaker {
  db: Db
  visitors: VisitorLookup
  humanCheck?: HumanCheck
  addressOf?: (request: Request) => string | undefined
  reservations: WebReservations
  logger: Logger
}

const mintBody = z.strictObject({ slug: z.string() })

/**
 * The function `web-call`: POST `{ slug }` makes a call at the platform with the private key, so that the visitor's texts stay on the server.
 * Answers 201 with the call as the public key would have got it, or `{ code, message }`. Each request asks the platform once at most.
 */
export function createMint(options: MintOptions): (request: Request) => Promise<Response> {
  const { visitors, humanCheck, addressOf, reservations, logger, db } = options
  const flood = new FloodLog(logger)
  const checks = new ClientLine(CHECKS)

  async function ask(visitor: Visitor, reserved: Reserved): Promise<Response> {
    // What would be made after the visitor was erased has the prompt.
    if (!(await reserved.isStored())) return errorResponse('visitor_not_found')
    const made = await makeWebCall(options, createWebOverrides(visitor, reserved.maxSeconds), reserved)
    if (made.result === 'made')
      return Response.json(made.call, { status: 201, headers: { 'cache-control': 'no-store' } })
    if (made.result === 'ending') return errorResponse('call_refused')
    return unavailable('The voice platform made no call. Try again.', made.retryAfterSeconds)
  }

  return async (request) => {
    const slug = await slugOf(request)
    if (slug instanceof Response) return slug
    const token = request.headers.get(CHECK_HEADER)
    if (humanCheck && !humanCheck.isToken(token ?? '')) return errorResponse('call_refused')
    const address = addressOf?.(request)
    const client = addressOf && clientAt(address)
    try {
      const inTurn = <Result>(look: () => Promise<Result>) => checks.run(client, look)
      const check = await checkToken({ humanCheck, db, inTurn }, token, { slug, address })
      // Without its check a request takes no turn, looks nobody up, and leaves no row.
      if (check.result === 'failed') return errorResponse('call_refused')
      const erasures = await lastErasure(db)
      const visitor = await lookUpVisitor(visitors, slug, logger, client)
      if (visitor instanceof Response) return visitor
      const reserved = await reservations.open(request, { slug: visitor.slug, erasures }, check)
      if (reserved.result === 'erased') return errorResponse('visitor_not_found')
      return reserved.result === 'refused' ? refusal(reserved) : await ask(visitor, reserved)
    } catch (error) {
      flood.fault(errorCode(error), 'a browser call could not be made')
      return failureResponse('unavailable', error)
    }
  }
}

/** The slug that a page posts, or an answer that says what is wrong with the request. */
async function slugOf(request: Request): Promise<string | Response> {
  const text = await readPostedJson(request)
  if (text instanceof Response) return text
  try {
    return mintBody.parse(JSON.parse(text)).slug
  } catch {
    return errorResponse(
      'invalid_json',
      'The body must be a JSON object with exactly one text: {"slug": "default"}.',
    )
  }
}

/** Every refusal of the gate looks the same, as for phone calls. */
function refusal({ code, retryAfterSeconds }: Extract<WebCallReservation, { result: 'refused' }>): Response {
  return code === 'unavailable' ? unavailable(undefined, retryAfterSeconds) : errorResponse('call_refused')
}

function unavailable(message?: string, retryAfterSeconds?: number): Response {
  const response = errorResponse('unavailable', message)
  if (retryAfterSeconds) response.headers.set('retry-after', String(retryAfterSeconds))
  return response
}
