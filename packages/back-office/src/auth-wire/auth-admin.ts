import { z } from 'zod'
import { AuthWire, type AuthWireOptions } from './auth-wire.js'
import { AuthWireError } from './auth-wire-error.js'

/** An account, as far as we look at it. What it says of itself (metadata) is left out on purpose: no right comes from it. */
const account = z.object({ id: z.uuid(), email: z.string().optional() })
const link = account.extend({ hashed_token: z.string().min(1) })
const factors = z.array(z.object({ id: z.string() }))
const signedIn = account.extend({ factors: z.array(z.object({ status: z.string() })).default([]) })

export type Account = z.output<typeof account>
/** The account of a session. */
export interface SignedIn extends Account {
  /** Whether it has a second factor that was confirmed once. */
  hasSecondFactor: boolean
}
export type LinkKind = 'invite' | 'recovery'
export interface AccountLink {
  account: Account
  kind: LinkKind
  /** What `verifyOtp({ token_hash, type })` takes, once. */
  tokenHash: string
}

/** The admin calls of GoTrue's wire, the same for our own end and for a Supabase project. Everything rejects with an `AuthWireError`. */
export class AuthAdmin {
  readonly #wire: AuthWire

  constructor(wire: AuthWireOptions) {
    this.#wire = new AuthWire(wire)
  }

  /** Of the auth wire. */
  get url(): string {
    return this.#wire.url
  }

  /** Makes an account whose address counts as confirmed. Code `email_exists` where there is one. */
  async createAccount(email: string, password: string): Promise<Account> {
    return account.parse(
      await this.#wire.ask('POST', '/admin/users', { body: { email, password, email_confirm: true } }),
    )
  }

  /** A link for the account of this address, by mail or by hand. Each replaces the one before. */
  async link(kind: LinkKind, email: string): Promise<AccountLink> {
    const { hashed_token, ...made } = link.parse(
      await this.#wire.ask('POST', '/admin/generate_link', { body: { type: kind, email } }),
    )
    return { account: { id: made.id, email: made.email }, kind, tokenHash: hashed_token }
  }

  /** Undefined where there is none. */
  async account(id: string): Promise<Account | undefined> {
    const found = await this.#orNone(this.#wire.ask('GET', `/admin/users/${id}`))
    return found === undefined ? undefined : account.parse(found)
  }

  /** A new password ends all sessions of the account, and its open links. */
  async setPassword(id: string, password: string): Promise<void> {
    await this.#wire.ask('PUT', `/admin/users/${id}`, { body: { password } })
  }

  /** Nothing happens where there is none. */
  async deleteAccount(id: string): Promise<void> {
    await this.#orNone(this.#wire.ask('DELETE', `/admin/users/${id}`))
  }

  /** Deletes all second factors of an account. Resolves with how many those were. */
  async deleteFactors(id: string): Promise<number> {
    const found = factors.parse(
      (await this.#orNone(this.#wire.ask('GET', `/admin/users/${id}/factors`))) ?? [],
    )
    for (const factor of found)
      await this.#orNone(this.#wire.ask('DELETE', `/admin/users/${id}/factors/${factor.id}`))
    return found.length
  }

  /** Whose access token this is, if its session still runs. */
  async accountOf(accessToken: string): Promise<SignedIn> {
    const { factors: own, ...found } = signedIn.parse(
      await this.#wire.ask('GET', '/user', { token: accessToken }),
    )
    return { ...found, hasSecondFactor: own.some(({ status }) => status === 'verified') }
  }

  async #orNone<Value>(asked: Promise<Value>): Promise<Value | undefined> {
    try {
      return await asked
    } catch (error) {
      if (error instanceof AuthWireError && error.status === 404) return undefined
      throw error
    }
  }
}
