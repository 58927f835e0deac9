import { z } from 'zod'
import { AuthWire, type AuthWireOptions, type WireClient } from './auth-wire.js'

const factor = z.object({
  id: z.uuid(),
  factor_type: z.string(),
  status: z.string(),
  friendly_name: z.string().nullish(),
  created_at: z.string(),
})
const user = z.object({
  id: z.uuid(),
  email: z.string().default(''),
  factors: z.array(factor).default([]),
})
const tokens = z.object({ access_token: z.string().min(1), refresh_token: z.string().min(1) })
/** Our own end says where whoever still lacks a second factor is known. */
const signedIn = tokens.extend({ user, known_place: z.enum(['address', 'network']).optional() })
const enrolled = z.object({
  id: z.uuid(),
  totp: z.object({ qr_code: z.string(), secret: z.string(), uri: z.string() }).optional(),
})
const challenge = z.object({ id: z.string().min(1) })
const session = z.object({
  id: z.string(),
  created_at: z.string(),
  refreshed_at: z.string().nullable(),
  user_agent: z.string().nullable(),
  ip: z.string().nullable(),
  aal: z.string().nullable(),
  current: z.boolean(),
})

/** What the wire gives whoever signs in. */
export interface Tokens {
  access: string
  refresh: string
}

/** A second factor of an account. */
export interface Factor {
  id: string
  type: 'totp' | 'phone'
  name: string
  /** ISO 8601. */
  addedAt: string
}

export interface OwnAccount {
  id: string
  email: string
  /** Those that were confirmed once. */
  factors: Factor[]
}

export interface NewSession {
  userId: string
  tokens: Tokens
  /** The account has a second factor, which is to follow. */
  isPending: boolean
  /** How well the account knows the place, where our own end says so of one that is pending. */
  known?: 'address' | 'network' | undefined
}

/** A session of an account, whoever has it: `current` is that of the token. */
export type AccountSession = z.output<typeof session>

/** No challenge stands behind a recovery code. */
const NO_CHALLENGE = '00000000-0000-0000-0000-000000000000'

/** The calls of the auth wire for one's own account, asked by us for a client. Everything rejects with an `AuthWireError`. */
export class AuthAccount {
  readonly #wire: AuthWire
  readonly #client: WireClient

  constructor(wire: AuthWireOptions, client: WireClient) {
    this.#wire = new AuthWire(wire)
    this.#client = client
  }

  async signIn(email: string, password: string): Promise<NewSession> {
    return begun(await this.#post('/token?grant_type=password', { email, password }))
  }

  /** Uses a link's code up, and signs in. */
  async spendLink(type: 'invite' | 'recovery', tokenHash: string): Promise<NewSession> {
    return begun(await this.#post('/verify', { type, token_hash: tokenHash }))
  }

  async refresh(refreshToken: string): Promise<Tokens> {
    return tokensOf(await this.#post('/token?grant_type=refresh_token', { refresh_token: refreshToken }))
  }

  /** Has a link mailed. Nobody learns whether there is such an account. */
  async askReset(email: string, redirectTo: string): Promise<void> {
    await this.#post(`/recover?${new URLSearchParams({ redirect_to: redirectTo })}`, { email })
  }

  async account(token: string): Promise<OwnAccount> {
    const { id, email, factors } = user.parse(await this.#ask('GET', '/user', token))
    const verified = factors.filter(({ status }) => status === 'verified')
    return { id, email, factors: verified.map(factorOf) }
  }

  /** Ends all other sessions of the account. */
  async changePassword(token: string, password: string): Promise<void> {
    await this.#ask('PUT', '/user', token, { password })
  }

  async signOut(token: string, scope: 'local' | 'others'): Promise<void> {
    await this.#ask('POST', `/logout?scope=${scope}`, token)
  }

  /** What an enrolment that was given up has left goes: it would keep its name. */
  async addFactor(
    token: string,
    asked: { type: 'totp' | 'phone'; name: string; phone?: string | undefined },
  ) {
    const { factors } = user.parse(await this.#ask('GET', '/user', token))
    for (const { id, status } of factors) if (status !== 'verified') await this.removeFactor(token, id)
    const { type, name, phone } = asked
    const made = enrolled.parse(
      await this.#ask('POST', '/factors', token, { factor_type: type, friendly_name: name, phone }),
    )
    return { id: made.id, totp: made.totp }
  }

  /** Asks for a code: a phone is sent one. Resolves with the challenge's id. */
  async challenge(token: string, factorId: string): Promise<string> {
    return challenge.parse(
      await this.#ask('POST', `/factors/${factorId}/challenge`, token, { channel: 'sms' }),
    ).id
  }

  /** Confirms a session, and a new factor. The tokens from before end. */
  async verify(token: string, factorId: string, code: string, challengeId?: string): Promise<Tokens> {
    const challenge_id = challengeId ?? (await this.challenge(token, factorId))
    return tokensOf(
      await this.#ask('POST', `/factors/${factorId}/verify`, token, { challenge_id, code: code.trim() }),
    )
  }

  async spendRecoveryCode(token: string, factorId: string, code: string): Promise<Tokens> {
    return this.verify(token, factorId, code, NO_CHALLENGE)
  }

  async removeFactor(token: string, factorId: string): Promise<void> {
    await this.#ask('DELETE', `/factors/${factorId}`, token)
  }

  /** Ten new ones. Those before them end. At our own end only. */
  async newRecoveryCodes(token: string): Promise<string[]> {
    return z.object({ codes: z.array(z.string()) }).parse(await this.#ask('POST', '/recovery_codes', token))
      .codes
  }

  /** At our own end only. */
  async sessions(token: string): Promise<AccountSession[]> {
    return z.array(session).parse(await this.#ask('GET', '/sessions', token))
  }

  /** At our own end only. */
  async endSession(token: string, id: string): Promise<void> {
    await this.#ask('DELETE', `/sessions/${id}`, token)
  }

  #post(path: string, body: unknown): Promise<unknown> {
    return this.#wire.ask('POST', path, { body, client: this.#client })
  }

  #ask(method: string, path: string, token: string, body?: unknown): Promise<unknown> {
    return this.#wire.ask(method, path, { token, body, client: this.#client })
  }
}

function begun(answer: unknown): NewSession {
  const { user: of, known_place: known } = signedIn.parse(answer)
  const isPending = of.factors.some(({ status }) => status === 'verified')
  return { userId: of.id, tokens: tokensOf(answer), isPending, known }
}

function tokensOf(answer: unknown): Tokens {
  const { access_token, refresh_token } = tokens.parse(answer)
  return { access: access_token, refresh: refresh_token }
}

const factorOf = ({ id, factor_type, friendly_name, created_at }: z.output<typeof factor>): Factor => ({
  id,
  type: factor_type === 'phone' ? 'phone' : 'totp',
  name: friendly_name ?? '',
  addedAt: created_at,
})
