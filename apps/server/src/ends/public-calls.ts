import type { CallDesk } from '@heyline/call-desk'
import type { AdmitIncoming, PublicCallRefusal, PublicCalls, PublicChats } from '@heyline/voice-platform'
import { namedSlug } from '../visitors/slug-header.js'

/** The gate of public calls, as the platform asks it. */
export type Gate = Required<Pick<PublicCalls, 'admit' | 'refusedLately'>> & Pick<PublicCalls, 'chats'>
type WebCalls = CallDesk['webCalls']
type FindDesk = () => { webCalls: Pick<WebCalls, 'reserve' | 'refusedLately'> } | undefined

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

/** Who hears of the chats that the gate has let pass. No turn is paid for while there is no desk. */
export function chatsBy(findDesk: () => { webCalls: Pick<WebCalls, 'chats'> } | undefined): PublicChats {
  const chats = () => findDesk()?.webCalls.chats
  return {
    answered: async (sessionId) => chats()?.answered(sessionId),
    payTurn: async (sessionId, seconds) => (await chats()?.payTurn(sessionId, seconds)) ?? false,
    takenBack: async (sessionId) => chats()?.takenBack(sessionId),
  }
}

function refusalOf({
  status,
  code,
  retryAfterSeconds,
}: NonNullable<ReturnType<WebCalls['refusedLately']>>): PublicCallRefusal {
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
