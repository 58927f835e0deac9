import { Store } from '@heyline/kit/store'
import type { OpenedLink } from '../opening/opened-link.js'
import type { AuthWire, Enrolment, Factor } from '../wire/auth-wire.js'
import { type Failure, failureOf, isEnded } from '../wire/failure.js'
import type { OwnSession, OwnWire } from '../wire/own-wire.js'
import type { LinkType, Notice, Screen } from './screen.js'

export interface OperatorSessionParts {
  auth: AuthWire
  own: OwnWire
  /** Whether the auth wire makes recovery codes. */
  makesRecoveryCodes: boolean
  /** Where a mailed link leads. */
  consoleUrl: string
}

/** Resolves with undefined where it was done. */
type Tried = Promise<Failure | undefined>

/** Who uses the console, from the first link to the sign-out, without its looks: it says which screen comes next. */
export class OperatorSession extends Store<Screen> {
  readonly #parts: OperatorSessionParts
  /** The link that signed us in asks for a new password, before anything else is shown. */
  #owesPassword: LinkType | undefined
  /** What is said when the session ends. */
  #notice: Notice = 'ended'

  constructor(parts: OperatorSessionParts, link?: OpenedLink) {
    super(screenOf(link))
    this.#parts = parts
    parts.auth.onEnd(() => this.#ended())
  }

  /** A link that was opened while the console was. Whoever is signed in is signed out. */
  async open(link: OpenedLink): Promise<void> {
    this.set(screenOf(link))
    await this.#try(() => this.#parts.auth.signOut('local'))
    this.set(screenOf(link))
  }

  setUp(code: string, email: string, password: string): Tried {
    return this.#try(async () => {
      await this.#parts.own.setUp({ code, email, password })
      const failure = await this.signIn(email, password)
      if (!failure) return
      // An account that was there already keeps its own password.
      const isOther = failure.code === 'invalid_credentials'
      this.set({ name: 'sign-in', notice: isOther ? 'own-password' : 'set-up' })
    })
  }

  signIn(email: string, password: string): Tried {
    return this.#try(async () => {
      await this.#parts.auth.signIn(email, password)
      await this.#enter()
    })
  }

  spendLink(type: LinkType, tokenHash: string): Tried {
    return this.#try(async () => {
      await this.#parts.auth.spendLink(type, tokenHash)
      this.#owesPassword = type
      await this.#enter()
    })
  }

  /** Ends all other sessions. */
  changePassword(password: string): Tried {
    return this.#try(async () => {
      await this.#parts.auth.changePassword(password)
      if (this.#owesPassword === undefined) return
      this.#owesPassword = undefined
      await this.#enter()
    })
  }

  askReset(email: string): Tried {
    return this.#try(() => this.#parts.auth.askReset(email, this.#parts.consoleUrl))
  }

  /** Sends a code to a phone. */
  async sendCode(factorId: string): Promise<{ challengeId: string } | { failure: Failure }> {
    return await this.#answer(async () => ({ challengeId: await this.#parts.auth.challenge(factorId) }))
  }

  confirm(factorId: string, code: string, challengeId?: string): Tried {
    return this.#try(async () => {
      await this.#parts.auth.verify(factorId, code, challengeId)
      await this.#enter()
    })
  }

  spendRecoveryCode(factorId: string, code: string): Tried {
    return this.#try(async () => {
      await this.#parts.auth.spendRecoveryCode(factorId, code)
      await this.#enter()
    })
  }

  async enrol(
    factor: { type: 'totp'; name: string } | { type: 'phone'; name: string; phone: string },
  ): Promise<{ enrolment: Enrolment } | { failure: Failure }> {
    const { auth } = this.#parts
    return await this.#answer(async () => ({
      enrolment:
        factor.type === 'phone'
          ? await auth.addPhone(factor.name, factor.phone)
          : await auth.addApp(factor.name),
    }))
  }

  /** The first factor brings recovery codes. */
  finishEnrolment(enrolment: Enrolment, code: string): Tried {
    return this.#try(async () => {
      const { auth, makesRecoveryCodes } = this.#parts
      await auth.verify(enrolment.id, code, enrolment.challengeId)
      const isFirst = (await auth.factors()).length === 1
      if (isFirst && makesRecoveryCodes) await this.#showNewCodes()
      else await this.#enter()
    })
  }

  newRecoveryCodes(): Tried {
    return this.#try(() => this.#showNewCodes())
  }

  removeFactor(id: string): Tried {
    return this.#try(async () => {
      await this.#parts.auth.removeFactor(id)
      await this.#enter()
    })
  }

  async factors(): Promise<{ factors: Factor[] } | { failure: Failure }> {
    return await this.#answer(async () => ({ factors: await this.#parts.auth.factors() }))
  }

  async sessions(): Promise<{ sessions: OwnSession[] } | { failure: Failure }> {
    return await this.#answer(async () => ({ sessions: await this.#parts.own.sessions() }))
  }

  endSession(id: string): Tried {
    return this.#try(() => this.#parts.own.endSession(id))
  }

  endOtherSessions(): Tried {
    return this.#try(() => this.#parts.auth.signOut('others'))
  }

  /** Stays where the server does not answer: the session would go on there. */
  signOut(): Tried {
    return this.#try(async () => {
      this.#notice = 'signed-out'
      await this.#parts.auth.signOut('local')
      this.#ended()
    }).finally(() => {
      this.#notice = 'ended'
    })
  }

  show(screen: Extract<Screen, { name: 'sign-in' | 'forgotten' | 'add-factor' }>): void {
    this.set(screen)
  }

  /** Goes on from where somebody is: to the second factor, the password that is owed, or home. */
  enter(): Tried {
    return this.#try(() => this.#enter())
  }

  async #enter(): Promise<void> {
    const { auth, own } = this.#parts
    if (await auth.needsSecondFactor())
      return this.set({ name: 'second-factor', factors: await auth.factors() })
    if (this.#owesPassword !== undefined)
      return this.set({ name: 'new-password', type: this.#owesPassword, email: await auth.email() })
    try {
      this.set({ name: 'home', operator: await own.operator() })
    } catch (error) {
      if (isEnded(error)) throw error
      this.set(refusedScreen(failureOf(error)))
    }
  }

  async #showNewCodes(): Promise<void> {
    this.set({ name: 'recovery-codes', codes: await this.#parts.own.newRecoveryCodes() })
  }

  async #try(work: () => Promise<void>): Tried {
    const answer = await this.#answer(async () => {
      await work()
      return {}
    })
    return 'failure' in answer ? answer.failure : undefined
  }

  async #answer<Answer extends object>(work: () => Promise<Answer>): Promise<Answer | { failure: Failure }> {
    try {
      return await work()
    } catch (error) {
      if (isEnded(error)) this.#ended()
      return { failure: failureOf(error) }
    }
  }

  #ended(): void {
    this.#owesPassword = undefined
    if (SIGNED_IN[this.get().name]) this.set({ name: 'sign-in', notice: this.#notice })
  }
}

/** The screens that need somebody who is signed in. */
const SIGNED_IN: Record<Screen['name'], boolean> = {
  'sign-in': false,
  'set-up': false,
  link: false,
  'new-password': true,
  forgotten: false,
  'second-factor': true,
  'add-factor': true,
  'recovery-codes': true,
  'not-an-operator': true,
  unreached: true,
  home: true,
}

function refusedScreen(failure: Failure): Screen {
  if (failure.code === 'second_factor_needed') return { name: 'add-factor', isNeeded: true }
  if (failure.code === 'not_an_operator') return { name: 'not-an-operator' }
  return { name: 'unreached', failure }
}

function screenOf(link: OpenedLink | undefined): Screen {
  if (!link) return { name: 'sign-in' }
  if (link.kind === 'set-up') return { name: 'set-up', code: link.code }
  return { name: 'link', type: link.kind, tokenHash: link.tokenHash }
}
