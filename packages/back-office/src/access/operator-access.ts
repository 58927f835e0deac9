import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import type { AuthAdmin } from '../auth-wire/auth-admin.js'
import { markSeen, rowOfAccount } from '../operators/operator-rows.js'
import { notAnOperator, OperatorsError } from '../operators/operators-error.js'
import type { Role } from '../operators/role.js'
import { AccessTokens, type AccessTokensOptions } from './access-tokens.js'
import { SessionChecks } from './session-checks.js'

export interface OperatorAccessOptions extends AccessTokensOptions {
  db: Db
  auth: AuthAdmin
  /** All operators need a second factor, and not only those who have one. */
  needsSecondFactor: boolean
  clock?: Pick<Clock, 'now' | 'monotonic'>
}

/** An operator who is here. */
export interface Operator {
  userId: string
  email: string
  role: Role
  /** `aal2` after a second factor. */
  aal: string | undefined
  /** When they entered a second factor last, or where they have none, their password; in ms. */
  enteredAt: number
}

/** How often it is noted that an operator was seen, in ms. */
const SEEN_MS = 60_000

/** Lets operators in by their access tokens. What they may do stands in our own table, and is read each time. */
export class OperatorAccess {
  readonly #db: Db
  readonly #needsSecondFactor: boolean
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>
  readonly #tokens: AccessTokens
  readonly #sessions: SessionChecks

  constructor({ db, auth, needsSecondFactor, clock = systemClock, ...tokens }: OperatorAccessOptions) {
    this.#db = db
    this.#needsSecondFactor = needsSecondFactor
    this.#clock = clock
    this.#tokens = new AccessTokens({ ...tokens, clock })
    this.#sessions = new SessionChecks(auth, clock)
  }

  /**
   * The operator of an access token. Rejects with an `OperatorsError`: `unauthorized`, `not_an_operator`,
   * `second_factor_needed`, or `accounts_unreachable`. Only a token that names an operator makes us ask the auth wire.
   * `isFresh` asks it now: a session that ended within the last ten seconds is over.
   */
  async enter(token: string, { isFresh = false } = {}): Promise<Operator> {
    const { userId, aal, enteredAt } = await this.#tokens.read(token)
    if (!(await rowOfAccount(this.#db, userId))) throw notAnOperator()
    const account = await this.#sessions.account(token, { isFresh })
    if (account.id !== userId)
      throw new OperatorsError('unauthorized', 'This access token is not good: sign in again')
    const isNeeded = this.#needsSecondFactor || account.hasSecondFactor
    // The token still says so after its factor was removed.
    if (isNeeded && !(account.hasSecondFactor && aal === 'aal2'))
      throw new OperatorsError(
        'second_factor_needed',
        'A second factor is needed here: set one up, or confirm this sign-in with it',
      )
    // Whoever was removed meanwhile is out.
    const row = await rowOfAccount(this.#db, userId)
    if (!row) throw notAnOperator()
    if (this.#clock.now() - (row.lastSeenAt?.getTime() ?? 0) > SEEN_MS)
      await markSeen(this.#db, userId, account.email)
    return { userId, email: row.email, role: row.role, aal, enteredAt }
  }
}
