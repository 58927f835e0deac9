import { errorResponse } from '../call-error.js'
import type { Reservation } from '../queue/reserve.js'

/** The answer to what became of a reservation. Every refusal looks the same, also when it is asked for again. */
export function answer(reservation: Reservation): Response {
  switch (reservation.result) {
    case 'mismatch':
      return errorResponse('idempotency_mismatch')
    case 'busy':
      return errorResponse('in_flight')
    case 'refused':
      return errorResponse('call_refused')
    case 'stored':
    case 'found': {
      const { id, state } = reservation.request
      if (state === 'refused') return errorResponse('call_refused')
      return Response.json({ id, status: state }, { status: 202, headers: { 'cache-control': 'no-store' } })
    }
  }
}
