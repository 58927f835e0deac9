import { AuthClient, AuthSessionMissingError, type Factor as WireFactor } from '@supabase/auth-js'

/** A verified second factor of one's own. */
export interface Factor {
  id: string
  type: 'totp' | 'phone'
  name: string
  /** ISO. */
  addedAt: string
}

/** A factor that a first code is to verify. */
export interface Enrolment {
  id: string
  type: Factor['type']
  /** Of an authenticator app. `qrCode` is a `data:` address. */
  totp?: { qrCode: string; secret: string; uri: string }
  /** Of a phone that was sent a code. */
  challengeId?: string
}

export interface AuthWireOptions {
  /** Absolute. */
  authUrl: string
  key: string
  fetch: typeof fetch
}

/** No challenge stands behind a recovery code. */
const NO_CHALLENGE = '00000000-0000-0000-0000-000000000000'

/** Supabase Auth's client, as far as the console needs it. Tokens stay in memory. All reject with what `failureOf` reads. */
export class AuthWire {
  readonly #client: InstanceType<typeof AuthClient>

  constructor({ authUrl, key, fetch }: AuthWireOptions) {
    this.#client = new AuthClient({
      url: authUrl,
      headers: { apikey: key },
      fetch,
      persistSession: false,
      detectSessionInUrl: false,
      autoRefreshToken: true,
    })
  }

  /** Calls `listener` when nobody is signed in any more. The returned function ends that. */
  onEnd(listener: () => void): () => void {
    const { data } = this.#client.onAuthStateChange((event) => {
      if (event === 'SIGNED_OUT') listener()
    })
    return () => data.subscription.unsubscribe()
  }

  async close(): Promise<void> {
    await this.#client.stopAutoRefresh()
  }

  async signIn(email: string, password: string): Promise<void> {
    done(await this.#client.signInWithPassword({ email, password }))
  }

  /** Uses the code of an invitation or a reset up, and signs in. */
  async spendLink(type: 'invite' | 'recovery', tokenHash: string): Promise<void> {
    done(await this.#client.verifyOtp({ type, token_hash: tokenHash }))
  }

  /** Asks for a mail with a link. Nobody learns whether there is such an account. */
  async askReset(email: string, redirectTo: string): Promise<void> {
    done(await this.#client.resetPasswordForEmail(email, { redirectTo }))
  }

  async changePassword(password: string): Promise<void> {
    done(await this.#client.updateUser({ password }))
  }

  async token(): Promise<string> {
    return (await this.#session()).access_token
  }

  async email(): Promise<string> {
    return (await this.#session()).user.email ?? ''
  }

  /** Whether this sign-in is to be confirmed with a second factor. */
  async needsSecondFactor(): Promise<boolean> {
    const { currentLevel, nextLevel } = done(await this.#client.mfa.getAuthenticatorAssuranceLevel())
    return nextLevel === 'aal2' && currentLevel !== 'aal2'
  }

  /** Verified ones. */
  async factors(): Promise<Factor[]> {
    return (await this.#wireFactors()).filter(({ status }) => status === 'verified').map(factorOf)
  }

  async addApp(name: string): Promise<Enrolment> {
    await this.#forgetUnverified()
    const { id, totp } = done(await this.#client.mfa.enroll({ factorType: 'totp', friendlyName: name }))
    return { id, type: 'totp', totp: { qrCode: totp.qr_code, secret: totp.secret, uri: totp.uri } }
  }

  /** Sends the first code too. */
  async addPhone(name: string, phone: string): Promise<Enrolment> {
    await this.#forgetUnverified()
    const { id } = done(await this.#client.mfa.enroll({ factorType: 'phone', friendlyName: name, phone }))
    return { id, type: 'phone', challengeId: await this.challenge(id) }
  }

  /** Asks for a code: a phone is sent one. Gives the challenge's id. */
  async challenge(factorId: string): Promise<string> {
    return done(await this.#client.mfa.challenge({ factorId, channel: 'sms' })).id
  }

  /** Confirms this sign-in, and verifies a new factor. */
  async verify(factorId: string, code: string, challengeId?: string): Promise<void> {
    const answered = challengeId ?? (await this.challenge(factorId))
    done(await this.#client.mfa.verify({ factorId, challengeId: answered, code: code.trim() }))
  }

  async spendRecoveryCode(factorId: string, code: string): Promise<void> {
    await this.verify(factorId, code, NO_CHALLENGE)
  }

  /** The token is renewed, since this sign-in may count less without the factor. */
  async removeFactor(factorId: string): Promise<void> {
    done(await this.#client.mfa.unenroll({ factorId }))
    done(await this.#client.refreshSession())
  }

  async signOut(scope: 'local' | 'others'): Promise<void> {
    const { error } = await this.#client.signOut({ scope })
    if (error) throw error
  }

  /** What an enrolment that was given up has left: it would keep its name. */
  async #forgetUnverified(): Promise<void> {
    for (const { id, status } of await this.#wireFactors())
      if (status === 'unverified') done(await this.#client.mfa.unenroll({ factorId: id }))
  }

  async #wireFactors(): Promise<WireFactor[]> {
    return done(await this.#client.getUser()).user.factors ?? []
  }

  async #session() {
    const { session } = done(await this.#client.getSession())
    if (!session) throw new AuthSessionMissingError()
    return session
  }
}

type Answer = { data: unknown; error: null } | { data: unknown; error: Error }

/** The data of an answer; throws its error. */
function done<Given extends Answer>(answer: Given): Extract<Given, { error: null }>['data'] {
  if (answer.error) throw answer.error
  return answer.data
}

const factorOf = ({ id, factor_type, friendly_name, created_at }: WireFactor): Factor => ({
  id,
  type: factor_type === 'phone' ? 'phone' : 'totp',
  name: friendly_name ?? '',
  addedAt: created_at,
})
