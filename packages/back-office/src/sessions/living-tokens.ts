import type { Clock } from '@heyline/kit/clock'
import { decodeJwt } from 'jose'
import type { AuthAccount } from '../auth-wire/auth-account.js'
import { AuthWireError } from '../auth-wire/auth-wire-error.js'
import { OperatorsError } from '../operators/operators-error.js'
import type { KeptSession, SessionStore } from './session-store.js'

/** Tokens are renewed when they hold no longer than this, in ms. */
const EARLY_MS = 120_000
/** One that holds so long yet serves while another process renews it, in ms. */
const ENOUGH_MS = 10_000
/** How soon it is looked again whether another process is done, in ms: each wait is twice the one before. */
const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 6_400

/** Keeps the access tokens of sessions alive. Each refresh token is used once, however many requests and processes want it. */
export class LivingTokens {
  readonly #store: SessionStore
  readonly #clock: Clock
  readonly #running = new Map<string, Promise<KeptSession | undefined>>()

  constructor(store: SessionStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /**
   * The session with an access token that holds. Undefined where it has ended. Rejects with an `OperatorsError`: `accounts_unreachable`.
   * No transaction is open while the auth wire is asked: at our own end it would wait for itself.
   */
  of(session: KeptSession, account: AuthAccount): Promise<KeptSession | undefined> {
    if (this.#leftOf(session) > EARLY_MS) return Promise.resolve(session)
    const running = this.#running.get(session.id)
    if (running) return running
    const renewed = this.#renewed(session, account).finally(() => this.#running.delete(session.id))
    this.#running.set(session.id, renewed)
    return renewed
  }

  async #renewed(session: KeptSession, account: AuthAccount): Promise<KeptSession | undefined> {
    for (let wait = FIRST_WAIT_MS; wait <= LONGEST_WAIT_MS; wait *= 2) {
      if (await this.#store.claimRenewal(session)) return await this.#refreshed(session, account)
      const now = await this.#store.again(session)
      if (!now || now.sealed !== session.sealed || this.#leftOf(now) > ENOUGH_MS) return now
      await new Promise<void>((resolve) => this.#clock.after(wait, resolve))
    }
    throw unreachable()
  }

  async #refreshed(session: KeptSession, account: AuthAccount): Promise<KeptSession | undefined> {
    try {
      await this.#store.renewed(session, await account.refresh(session.tokens.refresh))
    } catch (error) {
      if (!(error instanceof AuthWireError)) throw error
      if (!error.isRefusal) {
        await this.#store.renewed(session)
        if (this.#leftOf(session) > ENOUGH_MS) return session
        throw unreachable(error)
      }
      const now = await this.#store.again(session)
      if (now?.sealed === session.sealed) await this.#store.end(session)
    }
    return await this.#store.again(session)
  }

  #leftOf({ tokens }: KeptSession): number {
    return (decodeJwt(tokens.access).exp ?? 0) * 1000 - this.#clock.now()
  }
}

const unreachable = (cause?: unknown) =>
  new OperatorsError('accounts_unreachable', "The accounts can't be reached: try again", { cause })
