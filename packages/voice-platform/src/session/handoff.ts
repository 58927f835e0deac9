import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { AssistantPart } from './assistant-part.js'
import type { AssistantSpeech } from './assistant-speech.js'
import type { TransferDestination } from './bridge-call.js'
import type { Cast } from './cast.js'
import type { Conversation } from './conversation.js'
import { Fillers } from './fillers.js'
import type { Floor } from './floor.js'
import type { HandoffTarget, NextSpeaker, Opened } from './session-assistant.js'

/** How often a call is handed on at most, and how many steps of a workflow it takes. */
export const MOST_HANDOFFS = 20
export const MOST_STEPS = 100
/** Said where nobody takes over. */
export const NOT_HANDED_OVER = 'I am sorry, I cannot put you through to somebody else.'

export interface HandoffOptions {
  cast: Cast
  floor: Floor
  part: AssistantPart
  speech: AssistantSpeech
  conversation: Conversation
  clock: Clock
  logger: Logger
  /** Aborts when the call is over. */
  signal: AbortSignal
  callerSpeaks(): boolean
  /** The call is on its way to a number. */
  isTransferred(): boolean
  /** The next one speaks from now on. */
  onOpened(next: NextSpeaker, target: HandoffTarget): void
  transfer(destination: TransferDestination): void
  leave(message: string | undefined): void
}

/** Hands a call to another assistant: says so, finds the next one, and lets it speak. One at a time. */
export class Handoff {
  readonly #options: HandoffOptions
  /** Where the call is on its way to. */
  #current: HandoffTarget | undefined
  #handoffs = 0
  #steps = 0
  readonly #fillers: Fillers
  /** What is said while the next one is found. */
  #filler: Promise<void> | undefined
  #floorSignal: AbortSignal | undefined

  constructor(options: HandoffOptions) {
    const { clock, part, speech, signal, callerSpeaks } = options
    this.#options = options
    this.#fillers = new Fillers({
      clock,
      isQuiet: () => !this.#filler && !speech.audible && !callerSpeaks(),
      say: (text) => this.#say(text),
      sign: () => {
        if (!part.isMuted) speech.sign()
      },
    })
    signal.addEventListener('abort', () => this.#fillers.end(), { once: true })
  }

  get isUnderWay(): boolean {
    return this.#current !== undefined
  }

  /** Somebody has begun or ended to speak. */
  stir(): void {
    this.#fillers.stir()
  }

  /** Begins, unless one is under way. What is being said is cut. */
  start(target: HandoffTarget): void {
    const { floor, part, signal, isTransferred } = this.#options
    if (this.isUnderWay || signal.aborted || part.isLeaving || isTransferred()) return
    if (!this.#counts(target)) {
      this.#refuse(target, 'the call was handed on too often')
      return
    }
    this.#current = target
    floor.cut({ all: true })
    void floor
      .take({ interruptible: false, run: (floorSignal) => this.#run(target, floorSignal) })
      .finally(() => {
        if (this.#current === target) this.#current = undefined
      })
  }

  #counts({ isStep }: HandoffTarget): boolean {
    if (isStep) this.#steps += 1
    else this.#handoffs += 1
    return this.#steps <= MOST_STEPS && this.#handoffs <= MOST_HANDOFFS
  }

  async #run(target: HandoffTarget, floorSignal: AbortSignal): Promise<void> {
    const { cast, part, speech, conversation, signal, logger, isTransferred } = this.#options
    if (target.message?.trim() && !part.isMuted) await speech.say(target.message, floorSignal)
    this.#floorSignal = floorSignal
    if (!signal.aborted) this.#fillers.begin()
    const opened = await target.open(conversation.forModel(), signal).catch((error: unknown): Opened => {
      if (!signal.aborted) logger.warn({ err: error }, 'an assistant could not take over')
      return { type: 'refused', why: 'it could not be reached' }
    })
    this.#fillers.end()
    await this.#filler
    // It may have been ended or transferred meanwhile.
    if (signal.aborted || part.isLeaving || isTransferred()) return
    this.#current = undefined
    if (opened.read) cast.read(opened.read)
    if (opened.type === 'speaker') {
      for (const text of opened.results ?? [])
        conversation.add({ role: 'system', text, time: this.#options.clock.now() })
      this.#options.onOpened(opened.speaker, { ...target, history: opened.history ?? target.history })
    } else if (opened.type === 'transfer') this.#options.transfer(opened.destination)
    else if (opened.type === 'end') this.#options.leave(opened.message)
    else this.#refuse(target, opened.why)
  }

  /** The handoff has the floor, so it speaks without asking for it. */
  #say(text: string): void {
    const { part, speech, signal } = this.#options
    if (part.isMuted || part.isLeaving || signal.aborted) return
    this.#filler = speech.say(text, this.#floorSignal ?? signal).then(() => {
      this.#filler = undefined
      this.#fillers.stir()
    })
  }

  #refuse({ name, isStep }: HandoffTarget, why: string): void {
    const { conversation, part, speech, clock } = this.#options
    const text = `The call was not handed to ${name}: ${why}.`
    conversation.add({ role: 'system', text, time: clock.now() })
    void part.take(async (signal) => {
      if (isStep) await speech.reply(signal, { withoutTools: true })
      else await speech.say(NOT_HANDED_OVER, signal)
    })
  }
}
