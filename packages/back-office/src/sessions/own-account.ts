import { decodeJwt } from 'jose'
import type { Visit } from '../access/visit.js'
import type { AccountSession } from '../auth-wire/auth-account.js'
import { AuthWireError } from '../auth-wire/auth-wire-error.js'
import { OperatorsError } from '../operators/operators-error.js'
import type { AddressTries } from './address-tries.js'
import type { ConsoleSessions, Present } from './console-sessions.js'
import type { SessionState } from './session-state.js'

export interface OwnAccountOptions {
  sessions: ConsoleSessions
  /** The auth wire lists sessions and makes recovery codes, which are additions of ours. */
  hasAdditions: boolean
  /** As `SigningIn` has them. */
  tries?: AddressTries | undefined
}

/** The code of a factor; a phone's names the challenge that it answers. */
export interface FactorCode {
  factorId: string
  code: string
  challengeId?: string | undefined
}

/** What confirms that it is still the same person. */
export interface StepUpProof extends Partial<FactorCode> {
  password?: string | undefined
}

export interface NewFactor {
  id: string
  type: 'totp' | 'phone'
  /** Of an authenticator app. `qrCode` is a `data:` address. */
  totp?: { qrCode: string; secret: string; uri: string }
  /** Of a phone that was sent a code. */
  challengeId?: string
}

/** What somebody who is signed in does with their own account. */
export class OwnAccount {
  readonly #options: OwnAccountOptions

  constructor(options: OwnAccountOptions) {
    this.#options = options
  }

  /** Asks for a code: a phone is sent one. */
  async sendCode(visit: Visit, factorId: string): Promise<{ challengeId: string }> {
    return await this.#changing(visit, async ({ account, token }) => ({
      challengeId: await account.challenge(token, factorId),
    }))
  }

  /** Confirms a sign-in by a second factor. */
  async confirm(visit: Visit, { factorId, code, challengeId }: FactorCode): Promise<SessionState> {
    return await this.#guessing(visit, async (present) => {
      const tokens = await present.account.verify(present.token, factorId, code, challengeId)
      return this.#goOn(present, { tokens, owesPassword: present.session.owesPassword })
    })
  }

  async spendRecoveryCode(visit: Visit, { factorId, code }: FactorCode): Promise<SessionState> {
    return await this.#guessing(visit, async (present) => {
      const tokens = await present.account.spendRecoveryCode(present.token, factorId, code)
      return this.#goOn(present, { tokens, owesPassword: present.session.owesPassword })
    })
  }

  /** Opens what needs a fresh second factor, or, for who has none, a fresh password. Without an id the first factor is meant. */
  async stepUp(visit: Visit, given: StepUpProof): Promise<SessionState> {
    return await this.#guessing(visit, async (present) => {
      const { account, token } = present
      const { email, factors } = await account.account(token)
      const factorId = given.factorId ?? factors[0]?.id
      if (given.code === undefined && factorId !== undefined)
        throw new OperatorsError('second_factor_needed', 'You have a second factor: enter its code')
      const tokens =
        given.code !== undefined && factorId !== undefined
          ? await account.verify(token, factorId, given.code, given.challengeId)
          : await this.#byPassword(present, email, given.password)
      return this.#goOn(present, { tokens, owesPassword: present.session.owesPassword, isGraced: true })
    })
  }

  /** Ends all other sessions. Asks for the present password, unless a link signed in. */
  async changePassword(
    visit: Visit,
    { password, currentPassword }: { password: string; currentPassword?: string | undefined },
  ): Promise<SessionState> {
    return await this.#guessing(visit, async (present) => {
      const { account, token, session } = present
      if (!session.owesPassword) await this.#prove(present, currentPassword)
      await account.changePassword(token, password)
      await this.#options.sessions.endOthers(present)
      return this.#goOn(present, { owesPassword: undefined })
    })
  }

  /** The first step to a second factor; `finishFactor` is the last. A phone is sent its first code. */
  async addFactor(
    visit: Visit,
    asked: { type: 'totp' | 'phone'; name: string; phone?: string | undefined },
  ): Promise<NewFactor> {
    return await this.#changing(visit, async (present) => {
      await this.#options.sessions.demandFresh(present)
      const { account, token } = present
      const { id, totp } = await account.addFactor(token, asked)
      if (!totp) return { id, type: 'phone', challengeId: await account.challenge(token, id) }
      const qrCode = `data:image/svg+xml,${encodeURIComponent(totp.qr_code)}`
      return { id, type: 'totp', totp: { qrCode, secret: totp.secret, uri: totp.uri } }
    })
  }

  /** The first factor brings recovery codes. */
  async finishFactor(
    visit: Visit,
    { factorId, code, challengeId }: FactorCode,
  ): Promise<{ session: SessionState; recoveryCodes?: string[] }> {
    return await this.#guessing(visit, async (present) => {
      const { account, token, session } = present
      const tokens = await account.verify(token, factorId, code, challengeId)
      const going = await this.#goOn(present, { tokens, owesPassword: session.owesPassword })
      const isFirst = going.signedIn && going.factors.length === 1
      if (!isFirst || !this.#options.hasAdditions) return { session: going }
      return { session: going, recoveryCodes: await account.newRecoveryCodes(tokens.access) }
    })
  }

  /** The tokens are renewed, since this session may count less without the factor. */
  async removeFactor(visit: Visit, factorId: string): Promise<SessionState> {
    return await this.#changing(visit, async (present) => {
      await this.#options.sessions.demandFresh(present)
      const { account, token, session } = present
      await account.removeFactor(token, factorId)
      return this.#goOn(present, { tokens: await account.refresh(session.tokens.refresh) })
    })
  }

  /** Ten new ones. Those before them end. */
  async newRecoveryCodes(visit: Visit): Promise<{ codes: string[] }> {
    return await this.#changing(visit, async (present) => {
      await this.#options.sessions.demandFresh(present)
      return { codes: await present.account.newRecoveryCodes(present.token) }
    })
  }

  /** Null where the auth wire lists none. */
  async list(visit: Visit): Promise<{ sessions: AccountSession[] | null }> {
    return await this.#options.sessions.with(visit, async ({ account, token }) => ({
      sessions: this.#options.hasAdditions ? await account.sessions(token) : null,
    }))
  }

  async end(visit: Visit, id: string): Promise<void> {
    await this.#changing(visit, ({ account, token }) => account.endSession(token, id))
  }

  async endOthers(visit: Visit): Promise<void> {
    await this.#changing(visit, async (present) => {
      await this.#demandSecond(present)
      await present.account.signOut(present.token, 'others')
      await this.#options.sessions.endOthers(present)
    })
  }

  /** Whoever has the password alone ends nobody else's session, at no end of the auth wire. */
  async #demandSecond({ account, token }: Present): Promise<void> {
    if (decodeJwt(token).aal === 'aal2') return
    const { factors } = await account.account(token)
    if (factors.length > 0)
      throw new OperatorsError('second_factor_needed', 'Enter the code of your second factor first')
  }

  /** A session by the password alone, in place of the one before. */
  async #byPassword({ account, token }: Present, email: string, password: string | undefined) {
    if (password === undefined) throw wrongPassword()
    const { tokens } = await rightPassword(account.signIn(email, password))
    await account.signOut(token, 'local')
    return tokens
  }

  async #prove({ account, token }: Present, password: string | undefined): Promise<void> {
    if (password === undefined) throw wrongPassword()
    const { email } = await account.account(token)
    const { tokens } = await rightPassword(account.signIn(email, password))
    await account.signOut(tokens.access, 'local')
  }

  #goOn(...given: Parameters<ConsoleSessions['goOn']>): Promise<SessionState> {
    return this.#options.sessions.goOn(...given)
  }

  #changing<Value>(visit: Visit, work: (present: Present) => Promise<Value>): Promise<Value> {
    return this.#options.sessions.changing(visit, work)
  }

  /** As `changing`, for what takes a code or a password. */
  #guessing<Value>(visit: Visit, work: (present: Present) => Promise<Value>): Promise<Value> {
    this.#options.tries?.count(visit.client.address)
    return this.#changing(visit, work)
  }
}

/** It is no end of the session, and no sign-in either. */
async function rightPassword<Value>(asked: Promise<Value>): Promise<Value> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof AuthWireError && error.code === 'invalid_credentials') throw wrongPassword(error)
    throw error
  }
}

const wrongPassword = (cause?: unknown) =>
  new OperatorsError('wrong_password', 'This is not your present password: type it again', { cause })
