import type { Clock } from '@heyline/kit/clock'
import { KeptAnswer } from '@heyline/kit/kept-answer'
import { decodeJwt } from 'jose'
import type { CredentialTurns } from '../access/credential-turns.js'
import type { Operator, OperatorAccess } from '../access/operator-access.js'
import type { Visit } from '../access/visit.js'
import { AuthAccount, type NewSession } from '../auth-wire/auth-account.js'
import type { LinkKind } from '../auth-wire/auth-admin.js'
import type { AuthWireOptions } from '../auth-wire/auth-wire.js'
import { AuthWireError } from '../auth-wire/auth-wire-error.js'
import type { Operators } from '../operators/operators.js'
import { OperatorsError } from '../operators/operators-error.js'
import { LivingTokens } from './living-tokens.js'
import { FRESH_MS, type SessionState } from './session-state.js'
import {
  type KeptSession,
  type SessionChange,
  SessionStore,
  type SessionStoreOptions,
} from './session-store.js'

export interface ConsoleSessionsOptions extends SessionStoreOptions {
  clock: Clock
  wire: AuthWireOptions
  access: Pick<OperatorAccess, 'enter'>
  operators: Pick<Operators, 'hasOwner'>
  /** Of cookies that nobody has shown yet. */
  turns: Pick<CredentialTurns, 'run'>
}

/** Anybody may ask whether there is an owner, as often as they like: the database is asked once in so many milliseconds. */
const OWNER_KEPT_MS = 1_000

/** Somebody who is signed in. */
export interface Present {
  visit: Visit
  session: KeptSession
  /** The auth wire, asked for them. */
  account: AuthAccount
  token: string
}

/** Who is signed in to the console: their tokens stay here, and their browser holds a cookie. Rejects with an `OperatorsError` or an `AuthWireError`. */
export class ConsoleSessions {
  readonly #options: ConsoleSessionsOptions
  readonly #store: SessionStore
  readonly #tokens: LivingTokens
  readonly #hasOwner: KeptAnswer<boolean>

  constructor(options: ConsoleSessionsOptions) {
    this.#options = options
    this.#hasOwner = new KeptAnswer({
      ask: () => options.operators.hasOwner(),
      keptMs: OWNER_KEPT_MS,
      clock: options.clock,
    })
    this.#store = new SessionStore(options)
    this.#tokens = new LivingTokens(this.#store, options.clock)
  }

  /** The auth wire, asked for whoever visits. */
  accountOf({ client }: Visit): AuthAccount {
    return new AuthAccount(this.#options.wire, client)
  }

  /** The operator of a cookie, `isFresh` as at `OperatorAccess`. `mayChange` is false for a cookie that another one has just replaced. */
  async enter(
    visit: Visit,
    fresh: { isFresh?: boolean } = {},
  ): Promise<{ operator: Operator; mayChange: boolean }> {
    return await this.with(visit, async ({ session, token }) => {
      if (session.owesPassword)
        throw new OperatorsError('password_needed', 'Choose a new password first: the link asks for one')
      return { operator: await this.#options.access.enter(token, fresh), mayChange: !session.isFormer }
    })
  }

  /** Whether a cookie is that of a session. It asks nobody, and renews nothing. */
  async has(visit: Pick<Visit, 'secret' | 'client'>): Promise<boolean> {
    return (await this.#found(visit)) !== undefined
  }

  /** Who is there, and what they do next. */
  async show(visit: Visit): Promise<SessionState> {
    const present = await this.#present(visit)
    return present ? await this.#stateOf(present) : await this.#signedOut()
  }

  /** Whoever was signed in with this browser is signed out. */
  async begin(visit: Visit, started: NewSession, owesPassword?: LinkKind): Promise<SessionState> {
    const before = await this.#found(visit)
    const secret = await this.#store.begin(started, owesPassword)
    visit.give(secret)
    if (before) await this.#end(visit, before)
    return await this.show({ ...visit, secret })
  }

  /** Does something for whoever is signed in. Code `unauthorized` where nobody is, or nobody is any more. */
  async with<Value>(visit: Visit, work: (present: Present) => Promise<Value>): Promise<Value> {
    return await this.#untilEnd(await this.#somebody(visit), work)
  }

  /** As `with`, for what changes something. A cookie that another one has replaced opens it no more; the session stays. */
  async changing<Value>(visit: Visit, work: (present: Present) => Promise<Value>): Promise<Value> {
    const present = await this.#somebody(visit)
    if (present.session.isFormer) throw ended()
    return await this.#untilEnd(present, work)
  }

  /** Goes on with a new cookie. */
  async goOn({ visit, session }: Present, change: SessionChange): Promise<SessionState> {
    const secret = await this.#store.change(session, change)
    if (secret === undefined) throw ended()
    visit.give(secret)
    return await this.show({ ...visit, secret })
  }

  /** Ends the operator's other sessions here; the auth wire has ended its own. */
  async endOthers({ session }: Present): Promise<void> {
    await this.#store.endOthers(session)
  }

  async signOut(visit: Visit): Promise<SessionState> {
    const session = await this.#found(visit)
    if (session) await this.#end(visit, session)
    visit.give(undefined)
    return await this.#signedOut()
  }

  /** Rejects with `step_up_needed` where an operator is let in whose second factor, or password, was entered too long ago. */
  async demandFresh({ token }: Present): Promise<void> {
    const operator = await this.#operatorOf(token)
    if (typeof operator === 'object' && this.#freshUntil(operator) < this.#options.clock.now())
      throw new OperatorsError('step_up_needed', 'Confirm that it is you, and ask again')
  }

  async #found({ secret, client }: Pick<Visit, 'secret' | 'client'>): Promise<KeptSession | undefined> {
    if (secret === undefined) return undefined
    return await this.#options.turns.run(secret, client.address, () => this.#store.find(secret))
  }

  async #present(visit: Visit): Promise<Present | undefined> {
    const account = this.accountOf(visit)
    const found = await this.#found(visit)
    const session = found && (await this.#tokens.of(found, account))
    return session && { visit, session, account, token: session.tokens.access }
  }

  async #somebody(visit: Visit): Promise<Present> {
    const present = await this.#present(visit)
    if (!present) throw ended()
    return present
  }

  /** What finds out that the session is over ends it here, too. */
  async #untilEnd<Value>(present: Present, work: (present: Present) => Promise<Value>): Promise<Value> {
    try {
      return await work(present)
    } catch (error) {
      if (!isEnd(error)) throw error
      await this.#store.end(present.session)
      throw ended(error)
    }
  }

  async #end(visit: Visit, session: KeptSession): Promise<void> {
    await this.#store.end(session)
    try {
      await this.accountOf(visit).signOut(session.tokens.access, 'local')
    } catch (error) {
      // Nobody has its tokens any more: the wire ends it by its own time.
      if (!(error instanceof AuthWireError)) throw error
    }
  }

  async #stateOf({ session, account, token }: Present): Promise<SessionState> {
    try {
      const { email, factors } = await account.account(token)
      const known = { signedIn: true, email, factors } as const
      if (factors.length > 0 && decodeJwt(token).aal !== 'aal2')
        return { ...known, next: { step: 'second-factor' } }
      if (session.owesPassword)
        return { ...known, next: { step: 'new-password', link: session.owesPassword } }
      const operator = await this.#operatorOf(token)
      if (typeof operator === 'string') return { ...known, next: { step: operator } }
      const { userId, role } = operator
      const freshUntil = this.#freshUntil(operator)
      return {
        ...known,
        operator: { userId, email: operator.email, role },
        ...(freshUntil > this.#options.clock.now() && { freshUntil: new Date(freshUntil).toISOString() }),
      }
    } catch (error) {
      if (!isEnd(error)) throw error
      await this.#store.end(session)
      return await this.#signedOut()
    }
  }

  /** The operator, or what they need before they are let in. */
  async #operatorOf(token: string): Promise<Operator | 'add-factor' | 'not-an-operator'> {
    try {
      return await this.#options.access.enter(token)
    } catch (error) {
      const code = error instanceof OperatorsError ? error.code : undefined
      if (code === 'second_factor_needed') return 'add-factor'
      if (code === 'not_an_operator') return 'not-an-operator'
      throw error
    }
  }

  #freshUntil({ enteredAt }: Operator): number {
    return enteredAt + FRESH_MS
  }

  async #signedOut(): Promise<SessionState> {
    return { signedIn: false, setupNeeded: !(await this.#hasOwner.get()) }
  }
}

/** The auth wire, or who reads its tokens, says that the session is over. */
const isEnd = (error: unknown): boolean =>
  error instanceof AuthWireError
    ? error.isEndedSession
    : error instanceof OperatorsError && error.code === 'unauthorized'

const ended = (cause?: unknown) =>
  new OperatorsError('unauthorized', 'Nobody is signed in with this browser any more: sign in', { cause })
