import type { MeasuredTurn } from '../session/session.js'
import type { StoredCallType } from './call-row.js'

/** Who measures what the platform does. Every method must be quick, and never throws. */
export interface PlatformMeasures {
  /** The caller begins to hear the reply to a turn. */
  turn(turn: MeasuredTurn): void
  /** A conversation of this process is over. The reason is the platform's. */
  conversationEnded(type: StoredCallType, endedReason: string): void
  /** A connection to the transcriber that was opened before its call had words is used now, was closed unused, or has broken meanwhile. */
  openedAhead(result: 'used' | 'unused' | 'broken'): void
}
