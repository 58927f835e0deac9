import { createHash } from 'node:crypto'
import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { errorResponse } from '../call-error.js'
import { errorCode } from '../error-code.js'
import { parsePhoneNumber } from '../phone-number.js'
import { findByKey, type Reservation, reserve } from '../queue/reserve.js'
import { readText } from '../read-text.js'
import type { Visitor } from '../visitor.js'
import type { VisitorLookup } from '../visitor-lookup.js'
import { type CallBody, parseCallBody } from './call-body.js'

export interface WebhookOptions {
  db: Db
  visitors: VisitorLookup
  logger: Logger
}

/** Longest body, in bytes. */
const maxBytes = 16 * 1024

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The answer to what became of a reservation. */
function answer(reservation: Reservation): Response {
  switch (reservation.result) {
    case 'mismatch':
      return errorResponse('idempotency_mismatch')
    case 'busy':
      return errorResponse('in_flight')
    case 'stored':
    case 'found': {
      const { id, state } = reservation.request
      return Response.json({ id, status: state }, { status: 202, headers: { 'cache-control': 'no-store' } })
    }
  }
}

/** Reads and checks the body; a response where it cannot be used. */
async function readBody(request: Request): Promise<CallBody | Response> {
  const [type] = (request.headers.get('content-type') ?? '').split(';')
  if (type?.trim().toLowerCase() !== 'application/json') return errorResponse('unsupported_media_type')
  let text: string | undefined
  try {
    text = await readText(request, maxBytes)
  } catch {
    return errorResponse('invalid_json', 'The body could not be read as UTF-8.')
  }
  if (text === undefined)
    return errorResponse('too_large', `The body must not be longer than ${maxBytes} bytes.`)
  const parsed = parseCallBody(text)
  return 'fault' in parsed ? errorResponse('invalid_json', parsed.fault) : parsed.body
}

/**
 * The call webhook: POST `{ phone, slug }`, answered with 202 `{ id, status }` once the request is stored, or with `{ code, message }`.
 * An `idempotency-key` header makes a repetition safe. Thin: no limits, country lists, do-not-call list or human check stand before the queue;
 * the only guards are a valid number and one call in flight per number.
 */
export function createWebhook({
  db,
  visitors,
  logger,
}: WebhookOptions): (request: Request) => Promise<Response> {
  /** Keys whose first request this process has not answered yet. */
  const keysInFlight = new Set<string>()

  /** The visitor, null when there is none, undefined when the lookup failed. */
  async function lookUp(slug: string): Promise<Visitor | null | undefined> {
    // No database stores a NUL, so no visitor has one.
    if (slug.includes('\0')) return null
    try {
      return await visitors.find(slug)
    } catch (error) {
      logger.warn({ reason: errorCode(error) }, 'a visitor could not be looked up')
      return undefined
    }
  }

  async function store(phone: string, slug: string, idempotencyKey: string | null): Promise<Response> {
    const bodyHash = sha256(JSON.stringify([phone, slug]))
    const earlier = idempotencyKey === null ? undefined : await findByKey(db, idempotencyKey, bodyHash)
    if (earlier) return answer(earlier)
    const visitor = await lookUp(slug)
    if (visitor === undefined) return errorResponse('lookup_failed')
    if (visitor === null) return errorResponse('visitor_not_found')
    const reservation = await reserve(db, { phone, slug: visitor.slug, idempotencyKey, bodyHash })
    if (reservation.result === 'stored') {
      logger.info({ requestId: reservation.request.id, state: reservation.request.state }, 'call request')
    }
    return answer(reservation)
  }

  return async (request) => {
    if (request.method !== 'POST') return errorResponse('method_not_allowed')
    const body = await readBody(request)
    if (body instanceof Response) return body
    const phone = parsePhoneNumber(body.phone)
    if (phone === undefined) return errorResponse('invalid_phone')
    const key = request.headers.get('idempotency-key')?.trim()
    const idempotencyKey = key ? sha256(key) : null
    if (idempotencyKey !== null && keysInFlight.has(idempotencyKey)) return errorResponse('in_flight')
    if (idempotencyKey !== null) keysInFlight.add(idempotencyKey)
    try {
      return await store(phone, body.slug, idempotencyKey)
    } catch (error) {
      logger.error({ reason: errorCode(error) }, 'a call request could not be stored')
      return errorResponse('unavailable')
    } finally {
      if (idempotencyKey !== null) keysInFlight.delete(idempotencyKey)
    }
  }
}
