import { Store } from '@heyline/kit/store'
import { isEnded, needsStepUp } from '../office/refusal.js'
import type { OpenedLink } from '../opening/opened-link.js'
import { type Failure, failureOf } from '../wire/failure.js'
import type { Enrolment, OwnSession, Proof, SessionState, SessionWire } from '../wire/session-wire.js'
import type { LinkType, Notice, Screen } from './screen.js'

/** Resolves with undefined where it was done, or where another screen says what is to be done first. */
type Tried = Promise<Failure | undefined>

/** Who uses the console, from the first link to the sign-out, without its looks: it says which screen comes next. */
export class OperatorSession extends Store<Screen> {
  readonly #wire: SessionWire
  /** What is to be done once somebody has confirmed that it is them. */
  #afterStepUp: (() => Promise<void>) | undefined
  /** Links that were opened here. What was asked for before the last one leads nowhere any more. */
  #linksOpened = 0

  constructor(wire: SessionWire, link?: OpenedLink) {
    super(link ? screenOf(link, 0) : { name: 'opening' })
    this.#wire = wire
  }

  /** Goes where the cookie leads, unless a link was opened, before or meanwhile: that comes first. */
  async start(): Promise<void> {
    if (!this.#isOpening()) return
    const failure = await this.#try(async () => {
      const state = await this.#wire.show()
      if (this.#isOpening()) this.#follow(state)
    })
    if (failure && this.#isOpening()) this.set({ name: 'unreached', failure })
  }

  #isOpening(): boolean {
    return this.get().name === 'opening'
  }

  /** A link that was opened while the console was. Whoever is signed in stays so until the link is used. */
  open(link: OpenedLink): void {
    this.#linksOpened += 1
    this.set(screenOf(link, this.#linksOpened))
  }

  setUp(code: string, email: string, password: string): Tried {
    return this.#try(async () => {
      const { isNew, session } = await this.#wire.setUp({ code, email, password })
      if (session.signedIn) return this.#follow(session)
      // An account that was there already keeps its own password.
      this.set({ name: 'sign-in', notice: isNew ? 'set-up' : 'own-password' })
    })
  }

  signIn(email: string, password: string): Tried {
    return this.#go(() => this.#wire.signIn({ email, password }))
  }

  spendLink(type: LinkType, tokenHash: string): Tried {
    return this.#go(() => this.#wire.spendLink({ type, tokenHash }))
  }

  /** Ends all other sessions. The present password is asked for, unless a link signed in. */
  changePassword(password: string, currentPassword?: string): Tried {
    return this.#go(() =>
      this.#wire.changePassword({ password, ...(currentPassword !== undefined && { currentPassword }) }),
    )
  }

  askReset(email: string): Tried {
    return this.#try(async () => void (await this.#wire.askReset({ email })))
  }

  /** Sends a code to a phone. */
  sendCode(factorId: string): Promise<{ challengeId: string } | { failure: Failure }> {
    return this.#answer(() => this.#wire.sendCode({ factorId }))
  }

  confirm(factorId: string, code: string, challengeId?: string): Tried {
    return this.#go(() => this.#wire.confirm(codeOf(factorId, code, challengeId)))
  }

  spendRecoveryCode(factorId: string, code: string): Tried {
    return this.#go(() => this.#wire.spendRecoveryCode({ factorId, code }))
  }

  /** Confirms that it is still the same person, and does what that was asked for. */
  stepUp(proof: Proof): Tried {
    return this.#try(async () => {
      const state = await this.#wire.stepUp(proof)
      const then = this.#afterStepUp
      this.#afterStepUp = undefined
      if (!then) return this.#follow(state)
      try {
        await then()
      } catch (error) {
        if (isEnded(error)) throw error
        this.set({ name: 'unreached', failure: failureOf(error) })
      }
    })
  }

  enrol(
    factor: { type: 'totp'; name: string } | { type: 'phone'; name: string; phone: string },
  ): Promise<{ enrolment: Enrolment } | { failure: Failure }> {
    return this.#answer(async () => ({ enrolment: await this.#wire.addFactor(factor) }))
  }

  /** The first factor brings recovery codes. */
  finishEnrolment({ id, challengeId }: Enrolment, code: string): Tried {
    return this.#try(async () => {
      const { session, recoveryCodes } = await this.#wire.finishFactor(codeOf(id, code, challengeId))
      if (recoveryCodes) this.set({ name: 'recovery-codes', codes: recoveryCodes })
      else this.#follow(session)
    })
  }

  newRecoveryCodes(): Tried {
    return this.#try(async () =>
      this.set({ name: 'recovery-codes', codes: (await this.#wire.newRecoveryCodes()).codes }),
    )
  }

  removeFactor(factorId: string): Tried {
    return this.#go(() => this.#wire.removeFactor({ factorId }))
  }

  sessions(): Promise<{ sessions: OwnSession[] } | { failure: Failure }> {
    return this.#answer(async () => ({ sessions: (await this.#wire.list()).sessions ?? [] }))
  }

  endSession(id: string): Tried {
    return this.#try(async () => void (await this.#wire.end({ id })))
  }

  endOtherSessions(): Tried {
    return this.#try(async () => void (await this.#wire.endOthers()))
  }

  /** Stays where the server does not answer: the session would go on there. */
  signOut(): Tried {
    return this.#try(async () => {
      await this.#wire.signOut()
      this.set({ name: 'sign-in', notice: 'signed-out' })
    })
  }

  show(screen: Extract<Screen, { name: 'forgotten' | 'add-factor' }>): void {
    this.set(screen)
  }

  /** Goes on from where somebody is: to the sign-in, the second factor, the password that is owed, or home. */
  enter(): Tried {
    return this.#go(() => this.#wire.show())
  }

  #go(ask: () => Promise<SessionState>): Tried {
    const before = this.#linksOpened
    return this.#try(async () => {
      const state = await ask()
      if (this.#linksOpened === before) this.#follow(state)
    })
  }

  #follow(state: SessionState): void {
    this.set(state.signedIn ? nextScreen(state) : this.#signIn('ended', state.setupNeeded))
  }

  /** Whoever was not signed in before is told of no end: after a sign-out, answers to what was asked before it still come. */
  #signIn(ended: Notice, setupNeeded = false): Screen {
    const before = this.get()
    const notice = before.name === 'sign-in' ? before.notice : SIGNED_IN[before.name] ? ended : undefined
    return {
      name: 'sign-in',
      ...(notice && { notice }),
      ...(setupNeeded && { setupNeeded }),
    }
  }

  async #try(work: () => Promise<void>): Tried {
    const answer = await this.#answer(async () => {
      await work()
      return {}
    }, work)
    return 'failure' in answer ? answer.failure : undefined
  }

  /** `again` is done after a step-up that is needed first. */
  async #answer<Answer extends object>(
    work: () => Promise<Answer>,
    again?: () => Promise<void>,
  ): Promise<Answer | { failure: Failure }> {
    const before = this.#linksOpened
    try {
      return await work()
    } catch (error) {
      if (this.#linksOpened !== before) return { failure: failureOf(error) }
      if (isEnded(error)) this.set(this.#signIn('ended'))
      else if (needsStepUp(error)) await this.#askStepUp(again)
      return { failure: failureOf(error) }
    }
  }

  async #askStepUp(again: (() => Promise<void>) | undefined): Promise<void> {
    const before = this.get()
    // Where nothing can be done again by itself, the screen is shown again.
    this.#afterStepUp = again ?? (async () => this.set(before))
    try {
      const state = await this.#wire.show()
      if (state.signedIn) this.set({ name: 'step-up', email: state.email, factors: state.factors })
      else this.#follow(state)
    } catch (error) {
      this.set({ name: 'unreached', failure: failureOf(error) })
    }
  }
}

/** The screens that need somebody who is signed in. */
const SIGNED_IN: Record<Screen['name'], boolean> = {
  opening: false,
  'sign-in': false,
  'set-up': false,
  link: false,
  'new-password': true,
  forgotten: false,
  'second-factor': true,
  'step-up': true,
  'add-factor': true,
  'recovery-codes': true,
  'not-an-operator': true,
  unreached: false,
  home: true,
}

function nextScreen({ next, operator, email, factors }: Extract<SessionState, { signedIn: true }>): Screen {
  switch (next?.step) {
    case 'second-factor':
      return { name: 'second-factor', factors }
    case 'new-password':
      return { name: 'new-password', type: next.link, email }
    case 'add-factor':
      return { name: 'add-factor', isNeeded: true }
    default:
      return operator ? { name: 'home', operator, factors } : { name: 'not-an-operator' }
  }
}

const codeOf = (factorId: string, code: string, challengeId: string | undefined) => ({
  factorId,
  code,
  ...(challengeId !== undefined && { challengeId }),
})

function screenOf(link: OpenedLink, opened: number): Screen {
  if (link.kind === 'set-up') return { name: 'set-up', code: link.code, opened }
  return { name: 'link', type: link.kind, tokenHash: link.tokenHash, opened }
}
