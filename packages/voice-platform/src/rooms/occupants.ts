import type { Clock } from '@heyline/kit/clock'
import { hashOf, isSameSecret, newSecret } from '@heyline/kit/secret'
import type { Logger } from 'pino'
import { Budget } from '../work/budget.js'
import { Lanes } from '../work/lanes.js'
import type { SeatStore } from './seat-store.js'
import type { SocketLink } from './socket-link.js'

/**
 * How often a client may come back, on average per second and at once. Each time it is sent again what it may have missed, up to
 * megabytes, and a token is stored. A line that breaks every two seconds carries no conversation.
 */
const RETURNS = { perSecond: 0.5, atOnce: 10 }

/** What a client is told when it comes in or back. */
export interface Admission {
  participantId: string
  /** Brings the client back, once. */
  resumeToken: string
}

/** A client may come back, over this link. */
export interface Readmission {
  link: SocketLink
  admission: Admission
  /** The client brings the same token again. It has heard nothing of the connection in between. */
  isSecondTry: boolean
}

interface Occupant {
  link: SocketLink
  participantId: string
  returns: Budget
  /** Hash of the token in force. */
  token: string
  /** Hash of the one before it. */
  earlier?: string
}

/**
 * The clients whose sessions this process runs. Only this process can let them back, so it knows their tokens. The database keeps the
 * hash of the current token for the other processes, and for the time after the call.
 */
export class Occupants {
  readonly #seats: SeatStore
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #occupants = new Map<string, Occupant>()
  readonly #lanes = new Lanes()

  constructor({ seats, clock, logger }: { seats: SeatStore; clock: Clock; logger: Logger }) {
    this.#seats = seats
    this.#clock = clock
    this.#logger = logger
  }

  /** A client has come in. Its first token is stored already. */
  add(callId: string, link: SocketLink, { participantId, resumeToken }: Admission): void {
    const returns = new Budget(this.#clock, RETURNS)
    this.#occupants.set(callId, { link, participantId, returns, token: hashOf(resumeToken) })
    void link.gone.then(() => this.#occupants.delete(callId))
  }

  /** Whether this process runs the session of this call's client. */
  has(callId: string): boolean {
    return this.#occupants.has(callId)
  }

  /**
   * Trades a token for the next one. Undefined when this process does not run the call's session, or the token is wrong. The token
   * before the current one is good too, as long as nothing came from the client since: the answer may have been lost. A client that
   * comes back too often keeps its token for later.
   */
  readmit(callId: string, token: string): Readmission | 'too_often' | undefined {
    const occupant = this.#occupants.get(callId)
    if (!occupant?.link.isOpen) return undefined
    const { earlier, link, participantId } = occupant
    const given = hashOf(token)
    const isSecondTry = earlier !== undefined && isSameSecret(given, earlier) && !link.hasHeard
    if (!isSameSecret(given, occupant.token) && !isSecondTry) return undefined
    if (!occupant.returns.spend()) return 'too_often'
    const resumeToken = newSecret()
    occupant.token = hashOf(resumeToken)
    occupant.earlier = given
    this.#store(callId, occupant.token)
    return { link, admission: { participantId, resumeToken }, isSecondTry }
  }

  #store(callId: string, tokenHash: string): void {
    this.#lanes
      .run(callId, () => this.#seats.keepToken(callId, tokenHash))
      .catch((error: unknown) => this.#logger.warn({ callId, err: error }, 'resume token not stored'))
  }
}
