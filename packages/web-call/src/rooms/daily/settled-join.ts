import type { DailyCall } from '@daily-co/daily-js'
import { isFatalErrorKind } from '@heyline/room-protocol'
import { BUNDLE_LIMITS } from '../options.js'
import { RoomError } from '../room-error.js'

/**
 * Daily's own join stays pending for ever when the room is left meanwhile, and rejects with a text or with the event of
 * a fatal error. This one rejects then too, and always with an `Error`.
 */
export function settleJoin(call: DailyCall): void {
  const join = call.join.bind(call)
  call.join = async (options) => {
    let left = () => {}
    const leaving = new Promise<never>((_, reject) => {
      left = () => reject(new Error('The room was left before it was joined.'))
      call.on('left-meeting', left)
    })
    try {
      const participants = await Promise.race([join(options), leaving])
      checkAccess(call)
      return participants
    } catch (reason) {
      throw joinError(reason)
    } finally {
      call.off('left-meeting', left)
    }
  }
}

/** Daily joins those too who wait in the lobby for somebody to let them in: nobody does that for a call, and nothing is heard there. */
function checkAccess(call: DailyCall): void {
  const { access } = call.accessState()
  if (access === 'unknown' || access.level === 'full') return
  const message = access.level === 'lobby' ? 'The room has a lobby, in which a call cannot wait.' : undefined
  throw new RoomError('not-allowed', message)
}

/** Why a join failed: the text of a bundle that did not load, or the event of a fatal error. */
function joinError(reason: unknown): unknown {
  if (typeof reason === 'string')
    return new RoomError(
      'connection-error',
      `${reason}. The code of the room could not be loaded in ${BUNDLE_LIMITS.attempts} attempts: check the network, and that the page may load it.`,
    )
  const { errorMsg, error } = eventOf(reason)
  if (!isFatalErrorKind(error?.type)) return reason
  return new RoomError(error.type, errorMsg, { cause: reason })
}

interface FailureEvent {
  errorMsg?: string
  error?: { type?: unknown }
}

const eventOf = (reason: unknown): FailureEvent =>
  typeof reason === 'object' && reason !== null && !(reason instanceof Error) ? reason : {}
