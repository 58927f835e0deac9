import { createHash } from 'node:crypto'
import { type Db, lastErasure } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { traced } from '@heyline/kit/trace'
import { NoTurnError, WaitingLine } from '@heyline/kit/waiting-line'
import type { Logger } from 'pino'
import { errorResponse, failureResponse } from '../call/call-error.js'
import { type ClientAddress, clientAt, NETWORKS_OF_ANYBODY } from '../call/client-address.js'
import { ClientLine } from '../call/client-line.js'
import { ClientPlaces, REQUESTS_IN_LINE } from '../call/client-places.js'
import { lookUpVisitor, readPostedJson } from '../call/page-request.js'
import { type PhoneNumber, parsePhoneNumber } from '../call/phone-number.js'
import { RefusedClients } from '../call/refused-clients.js'
import type { VisitorLookup } from '../call/visitor-lookup.js'
import { Gate, type OwnNumbers } from '../gate/gate.js'
import type { GateSettings } from '../gate/gate-settings.js'
import { isOfNumber } from '../gate/refusal.js'
import type { CheckContext, HumanCheck } from '../human-check/human-check.js'
import { isCheckUsed } from '../human-check/used-checks.js'
import { failsAtOnce } from '../placing/fails-at-once.js'
import {
  type CheckResult,
  findByKey,
  type InTurn,
  type Reservation,
  reserve,
  type StoredRequest,
} from '../queue/reserve.js'
import type { DeskMeasures } from '../run/desk-measures.js'
import { createCallAgain } from './call-again.js'
import { type CallBody, parseCallBody } from './call-body.js'
import { ReservationLog } from './reservation-log.js'

/** The answer that a request was taken. */
function accepted({ id, state }: StoredRequest): Response {
  return Response.json({ id, status: state }, { status: 202, headers: { 'cache-control': 'no-store' } })
}

/**
 * The answer to what became of a reservation. Every refusal looks the same, also when it is asked for again. Only of a call in flight more
 * is said: to another page that there is one, to the same page nothing but what its own request was told.
 */
export function answer(reservation: Reservation): Response {
  switch (reservation.result) {
    case 'mismatch':
      return errorResponse('idempotency_mismatch')
    case 'erased':
      return errorResponse(reservation.by === 'slug' ? 'visitor_not_found' : 'call_refused')
    case 'refused': {
      const { refusal, request } = reservation
      if (refusal === 'in_flight') return errorResponse('in_flight')
      return refusal === 'repeated' && request
        ? accepted({ id: request.id, state: 'queued' })
        : errorResponse('call_refused')
    }
    case 'stored':
    case 'found': {
      const { request } = reservation
      return request.state === 'refused' ? errorResponse('call_refused') : accepted(request)
    }
  }
}

const idOf = (reservation: Reservation) => ('request' in reservation ? reservation.request?.id : undefined)

/** The header in which a browser sends its answer to the human check. */
export const CHECK_HEADER = 'x-human-check'

export interface TokenCheck {
  humanCheck?: HumanCheck | undefined
  db: Db
  /** Runs what asks our database when its turn has come; at once by default. */
  inTurn?: <Result>(look: () => Promise<Result>) => Promise<Result>
}

/** What the human check finds of the token that came with a request; a used one has failed. Rejects when it could not be verified. */
export async function checkToken(
  { humanCheck, db, inTurn = (look) => look() }: TokenCheck,
  token: string | null,
  context: CheckContext,
): Promise<CheckResult> {
  if (!humanCheck) return { result: 'not_asked' }
  if (!token) return { result: 'failed' }
  const verify = () => humanCheck.verify(token, context)
  const resultOf = async (id: string | undefined): Promise<CheckResult> =>
    id === undefined || (await isCheckUsed(db, id)) ? { result: 'failed' } : { result: 'passed', id }
  if (!humanCheck.hasOwnLine) return await inTurn(async () => resultOf(await verify()))
  const id = await verify()
  return await inTurn(() => resultOf(id))
}

export interface WebhookOptions {
  db: Db
  visitors: VisitorLookup
  gate: GateSettings
  humanCheck?: HumanCheck
  addressOf?: (request: Request) => string | undefined
  ownNumbers?: OwnNumbers
  /** How long an answer waits to learn that the call was refused at once, in milliseconds; 0: it does not wait. */
  tellsWithinMs?: number
  measures?: DeskMeasures
  logger: Logger
}

/** Takes requests for phone calls. */
export interface Webhook {
  /** Answers the page. */
  answer(request: Request): Promise<Response>
  /** An operator asks for another call to the number and visitor of an earlier one. */
  again: ReturnType<typeof createCallAgain>
}

/** Reservations of this process that hold a connection: one stores, one waits for the lock. The rest of the pool is for all else. */
const RESERVATIONS = { atOnce: 2, waiting: 500, longestMs: 5000 }
/**
 * Requests whose human check failed are only stored, for the records. Anybody can make up any number of them, so they wait in a line of
 * their own, and hold up those that passed by one at a time.
 */
const FAILED_CHECKS = { atOnce: 1, waiting: 20, longestMs: 1000 }

/** Refusals after which a client that asks on is looked at once a second. Its address, or network, may have no call anyway. */
const LOOKED_AT = { address: 10, network: 30 }

/** Of a flood of failed checks nothing is stored, so its next one is looked at a second later. */
const FLOODS_LOOKED_AT = { address: 1, network: 1 }

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Reads and checks the body; a response where it cannot be used. */
async function readBody(request: Request): Promise<CallBody | Response> {
  const text = await readPostedJson(request)
  if (text instanceof Response) return text
  const parsed = parseCallBody(text)
  return 'fault' in parsed ? errorResponse('invalid_json', parsed.fault) : parsed.body
}

/** What a good request asks, and what came with it. */
interface CallRequest {
  number: PhoneNumber
  /** As posted. */
  slug: string
  idempotencyKey: string | null
  token: string | null
  address: string | undefined
  /** What the limits know the client by; undefined where the desk is told of no addresses. */
  client: ClientAddress | undefined
}

/**
 * The call webhook: POST `{ phone, slug }`, answered with 202 `{ id, status }` once the gate let the request pass and it is stored, or with
 * `{ code, message }`. An `idempotency-key` header makes a repetition safe for 24 hours; `x-human-check` carries the human check's token.
 */
export function createWebhook({
  db,
  visitors,
  gate: settings,
  humanCheck,
  addressOf,
  ownNumbers,
  tellsWithinMs = 0,
  measures,
  logger,
}: WebhookOptions): Webhook {
  const gate = new Gate(settings, ownNumbers)
  const log = new ReservationLog(logger, measures)
  const line = new ClientLine(RESERVATIONS)
  const failed = new WaitingLine(FAILED_CHECKS)
  const places = new ClientPlaces(REQUESTS_IN_LINE)
  const refused = new RefusedClients(systemClock, LOOKED_AT)
  /** Those who ask for numbers that nobody may call. */
  const misdialling = new RefusedClients(systemClock, LOOKED_AT)
  /** Those whose failed checks are not stored any more. */
  const flooding = new RefusedClients(systemClock, FLOODS_LOOKED_AT)
  /** Keys whose first request this process has not answered yet. */
  const keysInFlight = new Set<string>()

  /** The answer, once it is known whether the call was refused at once, or the wait for that is over. */
  async function told(reservation: Reservation): Promise<Response> {
    const said = answer(reservation)
    // Whoever pressed again hears of the call that rings from its own request.
    if (!said.ok || tellsWithinMs === 0 || reservation.result === 'refused') return said
    return (await failsAtOnce(db, idOf(reservation), tellsWithinMs)) ? errorResponse('call_failed') : said
  }

  async function store({
    number,
    slug,
    idempotencyKey,
    token,
    address,
    client,
  }: CallRequest): Promise<Response> {
    const bodyHash = sha256(JSON.stringify([number.e164, slug]))
    const earlier = idempotencyKey === null ? undefined : await findByKey(db, idempotencyKey, bodyHash)
    if (earlier) return told(earlier)
    const refusal = refused.has(client)
      ? 'limit_address'
      : misdialling.has(client) && (await gate.refuseNumber(number))
    if (refusal) {
      log.insistence(refusal)
      return errorResponse('call_refused')
    }
    const check = await checkToken({ humanCheck, db }, token, { slug, address })
    const ask = async (inTurn?: InTurn): Promise<Response> => {
      const erasures = await lastErasure(db)
      const visitor = await lookUpVisitor(visitors, slug, logger, client)
      if (visitor instanceof Response) return visitor
      const reservation = await traced({ name: 'desk reserve' }, () =>
        reserve(
          { db, gate, inTurn },
          { number, slug: visitor.slug, client, idempotencyKey, bodyHash, check, erasures },
        ),
      )
      log.write(reservation)
      noteRefusal(reservation, client)
      return told(reservation)
    }
    return check.result === 'failed'
      ? await refuseFailed(client, ask)
      : await ask((reservation) => line.run(client, reservation))
  }

  function noteRefusal(reservation: Reservation, client: ClientAddress | undefined): void {
    if (client && NETWORKS_OF_ANYBODY.includes(client.network)) return
    const refusal = reservation.result === 'refused' ? reservation.refusal : undefined
    if (refusal === 'limit_address') refused.add(client, 'address')
    if (refusal === 'limit_network') refused.add(client, 'network')
    if (refusal && isOfNumber(refusal)) misdialling.add(client, 'address')
    if (reservation.result === 'stored') refused.remove(client)
    if (refusal === 'human_check_failed' && idOf(reservation) === undefined) flooding.add(client, 'network')
  }

  /** The gate refuses and stores it. Of a flood nothing is stored, or even looked up. */
  async function refuseFailed(
    client: ClientAddress | undefined,
    ask: () => Promise<Response>,
  ): Promise<Response> {
    try {
      if (flooding.has(client)) throw new NoTurnError('too_many')
      return await failed.run(() => ask())
    } catch (error) {
      if (!(error instanceof NoTurnError)) throw error
      log.unchecked()
      return errorResponse('call_refused')
    }
  }

  async function take(request: Request): Promise<Response> {
    const body = await readBody(request)
    if (body instanceof Response) return body
    const number = parsePhoneNumber(body.phone)
    if (number === undefined) return errorResponse('invalid_phone')
    const token = request.headers.get(CHECK_HEADER)
    if (humanCheck && !humanCheck.isToken(token ?? '')) {
      log.unchecked()
      return errorResponse('call_refused')
    }
    const key = request.headers.get('idempotency-key')?.trim()
    const idempotencyKey = key ? sha256(key) : null
    if (idempotencyKey !== null && keysInFlight.has(idempotencyKey)) return errorResponse('in_flight')
    const address = addressOf?.(request)
    const client = addressOf && clientAt(address)
    const leave = places.take(client)
    if (!leave) {
      log.greed()
      return errorResponse('unavailable')
    }
    if (idempotencyKey !== null) keysInFlight.add(idempotencyKey)
    try {
      return await store({ number, slug: body.slug, idempotencyKey, token, address, client })
    } catch (error) {
      if (error instanceof NoTurnError) log.crowd(error.code)
      else log.fault(error)
      return failureResponse('unavailable', error)
    } finally {
      leave()
      if (idempotencyKey !== null) keysInFlight.delete(idempotencyKey)
    }
  }

  const knowsAddresses = addressOf !== undefined
  return { answer: take, again: createCallAgain({ db, gate, visitors, knowsAddresses, line, log }) }
}
