import type { Clock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'
import { hashOf } from '@heyline/kit/secret'
import type { AuthAdmin, SignedIn } from '../auth-wire/auth-admin.js'
import { AuthWireError } from '../auth-wire/auth-wire-error.js'
import { OperatorsError } from '../operators/operators-error.js'

/** How long a session that was there counts as being there, in ms. */
const GOOD_MS = 10_000
/** So many sessions are known at once; the one that was checked first is forgotten. */
const MOST = 1_000

interface Check {
  at: number
  account: Promise<SignedIn>
}

/** Whether the sessions of access tokens still run: asked of the auth wire, once for all who want to know within ten seconds. */
export class SessionChecks {
  readonly #auth: AuthAdmin
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #checks = new RecentMap<string, Check>(MOST)

  constructor(auth: AuthAdmin, clock: Pick<Clock, 'monotonic'>) {
    this.#auth = auth
    this.#clock = clock
  }

  /**
   * The account of a token. `isFresh` asks the auth wire now, whatever it said before. Rejects with an `OperatorsError`: `unauthorized` or
   * `accounts_unreachable`.
   */
  account(token: string, { isFresh = false } = {}): Promise<SignedIn> {
    const key = hashOf(token)
    const known = isFresh ? undefined : this.#checks.get(key)
    if (known && this.#clock.monotonic() - known.at < GOOD_MS) return known.account
    const check = { at: this.#clock.monotonic(), account: this.#asked(token) }
    this.#checks.set(key, check)
    check.account.catch(() => {
      if (this.#checks.get(key) === check) this.#checks.delete(key)
    })
    return check.account
  }

  async #asked(token: string): Promise<SignedIn> {
    try {
      return await this.#auth.accountOf(token)
    } catch (cause) {
      if (!(cause instanceof AuthWireError)) throw cause
      if (cause.isRefusedToken)
        throw new OperatorsError('unauthorized', 'This session has ended: sign in again', { cause })
      throw new OperatorsError('accounts_unreachable', "The accounts can't be reached: try again", { cause })
    }
  }
}
