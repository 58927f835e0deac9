import { createHash } from 'node:crypto'
import { type Db, lastErasure } from '@heyline/database'
import { NoTurnError } from '@heyline/kit/waiting-line'
import { clientAt } from '../call/client-address.js'
import type { ClientLine } from '../call/client-line.js'
import { parsePhoneNumber } from '../call/phone-number.js'
import type { VisitorLookup } from '../call/visitor-lookup.js'
import type { Gate } from '../gate/gate.js'
import { refusalText } from '../gate/refusal-text.js'
import { type Reservation, reserve } from '../queue/reserve.js'
import type { CalledAgain } from '../records/called-again.js'
import { findCall } from '../records/find-call.js'
import { RecordsError } from '../records/records-error.js'
import type { ReservationLog } from './reservation-log.js'

/** Who wants a number called once more. */
export interface CallAgain {
  /** Of the earlier call. */
  id: string
  /** Of this one press: with it, there is one call however often this is asked. */
  key: string
  /** The operator's address, which the limits count as they count anybody's; undefined where it is not known. */
  address: string | undefined
  /** Who asks, as the timeline names them. */
  actor: string
}

export interface CallAgainOptions {
  db: Db
  gate: Gate
  visitors: VisitorLookup
  /** The desk is told of clients' addresses. */
  knowsAddresses: boolean
  line: ClientLine
  log: ReservationLog
}

/** Hex. No page can send such a key: a header holds no line break. */
const hashOf = (kind: string, text: string): string =>
  createHash('sha256').update(`${kind}\n${text}`).digest('hex')

/**
 * Asks for another call of the same number and visitor, through the gate, as the page would. Only the human check is left out: an operator
 * has signed in. Rejects with a `RecordsError` where there is nothing to ask for.
 */
export function createCallAgain(options: CallAgainOptions): (asked: CallAgain) => Promise<CalledAgain> {
  const { db, gate, visitors, knowsAddresses, line, log } = options
  return async ({ id, key, address, actor }) => {
    const erasures = await lastErasure(db)
    const earlier = await findCall(db, id)
    const number = earlier.phone === null ? undefined : parsePhoneNumber(earlier.phone)
    if (!number)
      throw new RecordsError(
        'not_a_phone_call',
        'This was a call in the browser: only its visitor can begin another',
      )
    if (earlier.slug === '')
      throw new RecordsError(
        'visitor_gone',
        'Nobody knows whose page this call belongs to, so it can’t be made again',
      )
    const visitor = await visitors.find(earlier.slug).catch((cause: unknown) => {
      throw busy('The visitor could not be looked up, so nothing is dialled: try again', cause)
    })
    if (!visitor)
      throw new RecordsError('visitor_gone', 'There is no such visitor any more, so nobody can be called')
    const reservation = await reserve(
      // Operators wait for nobody else of their network.
      { db, gate, inTurn: (store) => line.run(undefined, store), actor },
      {
        number,
        slug: visitor.slug,
        client: knowsAddresses ? clientAt(address) : undefined,
        idempotencyKey: hashOf('call again', key),
        bodyHash: hashOf(earlier.id, visitor.slug),
        check: { result: 'not_asked' },
        erasures,
      },
    ).catch((cause: unknown) => {
      if (cause instanceof NoTurnError) throw busy('Too many calls are asked for just now: try again', cause)
      throw cause
    })
    log.write(reservation)
    return answerOf(db, reservation)
  }
}

const busy = (message: string, cause: unknown) => new RecordsError('calls_unreachable', message, { cause })

async function answerOf(db: Db, reservation: Reservation): Promise<CalledAgain> {
  switch (reservation.result) {
    case 'mismatch':
      throw new RecordsError('key_used', 'This key belongs to another request: use a new one')
    case 'erased':
      throw new RecordsError('visitor_gone', 'This person was erased just now, so nobody can be called')
    case 'stored':
      return { id: reservation.request.id, accepted: true, refusal: null, reason: null }
    case 'refused':
      return refused(reservation.request?.id ?? null, reservation.refusal)
    case 'found': {
      const { id, refusal } = await findCall(db, reservation.request.id)
      return refusal === null ? { id, accepted: true, refusal, reason: null } : refused(id, refusal)
    }
  }
}

const refused = (id: string | null, refusal: string): CalledAgain => ({
  id,
  accepted: false,
  refusal,
  reason: refusalText(refusal),
})
