import type { CallDesk } from '@heyline/call-desk'
import type { AdmitIncoming, PublicCallRefusal, PublicCalls } from '@heyline/voice-platform'
import { namedSlug } from '../visitors/slug-header.js'

/** The gate of public calls, as the platform asks it. */
export type Gate = Required<Pick<PublicCalls, 'admit' | 'payTurn' | 'refusedLately'>>
type FindDesk = () => Pick<CallDesk, 'webCalls'> | undefined

/** What the platform asks before it starts a call of the public key: the call desk's gate, once that is open. */
export function admitBy(findDesk: FindDesk): Gate['admit'] {
  return async (request) => {
    const desk = findDesk()
    if (!desk)
      return {
        admitted: false,
        status: 503,
        message: 'The call desk is not open yet. Try again in a moment.',
      }
    const reservation = await desk.webCalls.reserve(request, namedSlug(request))
    if (reservation.result === 'reserved') {
      const { maxSeconds, started, failed } = reservation
      return { admitted: true, maxSeconds, started, failed }
    }
    return refusalOf(reservation)
  }
}

/** What the platform asks before it answers a further turn of a chat. None is paid for while the desk is not open. */
export function payBy(findDesk: FindDesk): Gate['payTurn'] {
  return async (chatId, seconds) => (await findDesk()?.webCalls.payTurn(chatId, seconds)) ?? false
}

/** What the platform asks before it takes a call to one of our numbers. */
export function takeBy(findDesk: () => Pick<CallDesk, 'incoming'> | undefined): AdmitIncoming {
  return async (call) => (await findDesk()?.incoming?.reserve(call)) ?? { admitted: false }
}

/** What the platform asks first: whether the desk refuses this client without a look. */
export function refuseBy(findDesk: FindDesk): Gate['refusedLately'] {
  return (request) => {
    const refused = findDesk()?.webCalls.refusedLately(request)
    return refused && refusalOf(refused)
  }
}

function refusalOf({
  status,
  code,
  retryAfterSeconds,
}: NonNullable<ReturnType<CallDesk['webCalls']['refusedLately']>>): PublicCallRefusal {
  return {
    admitted: false,
    status,
    message: REFUSALS[code],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

const REFUSALS = {
  call_refused: 'This call is not started.',
  unavailable: 'The call could not be started now. Try again.',
} as const
