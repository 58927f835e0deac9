import type { Visit } from '../access/visit.js'
import type { LinkKind } from '../auth-wire/auth-admin.js'
import { AuthWireError } from '../auth-wire/auth-wire-error.js'
import type { Operators } from '../operators/operators.js'
import type { FirstOwner } from '../operators/setup-links.js'
import type { AddressTries } from './address-tries.js'
import type { ConsoleSessions } from './console-sessions.js'
import type { SessionState } from './session-state.js'

export interface SigningInOptions {
  sessions: ConsoleSessions
  operators: Pick<Operators, 'setUp'>
  /** Where mailed links lead, up to and without the `#`. */
  consoleUrl: string
  /** Of setup links. */
  setupTries: AddressTries
  /** Of all else that guesses. Undefined where the auth wire is told who asks, and counts by itself. */
  tries?: AddressTries | undefined
}

/** How somebody comes in. Each success gives the browser a new cookie. */
export class SigningIn {
  readonly #options: SigningInOptions

  constructor(options: SigningInOptions) {
    this.#options = options
  }

  async signIn(
    visit: Visit,
    { email, password }: { email: string; password: string },
  ): Promise<SessionState> {
    const { sessions } = this.#options
    this.#count(visit)
    return await sessions.begin(visit, await sessions.accountOf(visit).signIn(email, password))
  }

  /** The link asks for a new password, before anything else is open. */
  async spendLink(
    visit: Visit,
    { type, tokenHash }: { type: LinkKind; tokenHash: string },
  ): Promise<SessionState> {
    const { sessions } = this.#options
    this.#count(visit)
    return await sessions.begin(visit, await sessions.accountOf(visit).spendLink(type, tokenHash), type)
  }

  /** Has a link mailed, if there is such an account and a mail server. */
  async askReset(visit: Visit, { email }: { email: string }): Promise<void> {
    this.#count(visit)
    await this.#options.sessions.accountOf(visit).askReset(email, this.#options.consoleUrl)
  }

  /** Makes the first owner, and signs in. An account that was there already keeps its own password: then `isNew` is false. */
  async setUp(visit: Visit, owner: FirstOwner): Promise<{ isNew: boolean; session: SessionState }> {
    const { sessions, operators, setupTries } = this.#options
    const { address } = visit.client
    setupTries.count(address)
    const { isNew, email } = await operators.setUp(owner, address)
    try {
      return { isNew, session: await this.signIn(visit, { email, password: owner.password }) }
    } catch (error) {
      // The owner is made all the same, and signs in by hand.
      if (!(error instanceof AuthWireError)) throw error
      return { isNew, session: await sessions.show(visit) }
    }
  }

  #count({ client }: Visit): void {
    this.#options.tries?.count(client.address)
  }
}
