import { z } from 'zod'
import { AuthWireError } from './auth-wire-error.js'

export interface AuthAdminOptions {
  /** The auth wire, e.g. `https://PROJECT.supabase.co/auth/v1`. */
  url: string
  /** Opens the admin calls. */
  secretKey: string
  /** How the wire is reached; by default over the network. */
  fetch?: typeof fetch
}

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

/** Longest that the wire may take to answer, in ms. */
const PATIENCE_MS = 10_000
/** Has GoTrue answer errors in its newer form. */
const VERSION = '2024-01-01'

/** The admin calls of GoTrue's wire, the same for our own end and for a Supabase project. Everything rejects with an `AuthWireError`. */
export class AuthAdmin {
  /** Of the auth wire. */
  readonly url: string
  readonly #secretKey: string
  readonly #fetch: typeof fetch

  constructor({ url, secretKey, fetch: reach = fetch }: AuthAdminOptions) {
    this.url = url
    this.#secretKey = secretKey
    this.#fetch = reach
  }

  /** Makes an account whose address counts as confirmed. Code `email_exists` where there is one. */
  async createAccount(email: string, password: string): Promise<Account> {
    return account.parse(await this.#ask('POST', '/admin/users', { email, password, email_confirm: true }))
  }

  /** A link for the account of this address, by mail or by hand. Each replaces the one before. */
  async link(kind: LinkKind, email: string): Promise<AccountLink> {
    const { hashed_token, ...made } = link.parse(
      await this.#ask('POST', '/admin/generate_link', { type: kind, email }),
    )
    return { account: { id: made.id, email: made.email }, kind, tokenHash: hashed_token }
  }

  /** Undefined where there is none. */
  async account(id: string): Promise<Account | undefined> {
    const found = await this.#orNone(this.#ask('GET', `/admin/users/${id}`))
    return found === undefined ? undefined : account.parse(found)
  }

  /** A new password ends all sessions of the account, and its open links. */
  async setPassword(id: string, password: string): Promise<void> {
    await this.#ask('PUT', `/admin/users/${id}`, { password })
  }

  /** Nothing happens where there is none. */
  async deleteAccount(id: string): Promise<void> {
    await this.#orNone(this.#ask('DELETE', `/admin/users/${id}`))
  }

  /** Deletes all second factors of an account. Resolves with how many those were. */
  async deleteFactors(id: string): Promise<number> {
    const found = factors.parse((await this.#orNone(this.#ask('GET', `/admin/users/${id}/factors`))) ?? [])
    for (const factor of found)
      await this.#orNone(this.#ask('DELETE', `/admin/users/${id}/factors/${factor.id}`))
    return found.length
  }

  /** Whose access token this is, if its session still runs. */
  async accountOf(accessToken: string): Promise<SignedIn> {
    const { factors: own, ...found } = signedIn.parse(await this.#ask('GET', '/user', undefined, accessToken))
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

  async #ask(method: string, path: string, body?: unknown, token = this.#secretKey): Promise<unknown> {
    const headers = {
      apikey: this.#secretKey,
      authorization: `Bearer ${token}`,
      'x-supabase-api-version': VERSION,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      const answer = await this.#fetch(`${this.url}${path}`, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        redirect: 'error',
        signal,
      })
      if (!answer.ok) throw await AuthWireError.of(answer)
      return await answer.json()
    } catch (error) {
      if (error instanceof AuthWireError) throw error
      const origin = new URL(this.url).origin
      throw new AuthWireError(0, 'unreachable', `The accounts at ${origin} can't be reached: try again`, {
        cause: error,
      })
    }
  }
}
