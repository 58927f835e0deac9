import type { Clock } from '@heyline/kit/clock'
import type { AssistantSpeech } from './assistant-speech.js'
import type { BridgeCall, TransferDestination, UnansweredTransfer } from './bridge-call.js'
import type { Conversation } from './conversation.js'
import type { Floor } from './floor.js'

/** Said before a transfer whose destination has no words of its own, as on the hosted platform. */
export const ANNOUNCEMENT = 'Transferring the call now.'
/** Said where a transfer was refused or has failed. */
export const NOT_TRANSFERRED = 'I am sorry, I cannot transfer this call.'
/** Said where the call was to be transferred too often. */
export const NOT_AGAIN = 'I am sorry, I cannot transfer this call once more.'
/** How often one call is transferred at most, whatever becomes of it. */
export const MOST_TRANSFERS = 3
/** Said to a caller who is back, because nobody was reached. */
export const BACK: Readonly<Record<UnansweredTransfer, string>> = {
  busy: 'I am sorry, the line is busy there. How else can I help you?',
  'no-answer': 'I am sorry, nobody answered there. How else can I help you?',
  failed: 'I am sorry, I could not reach that number. How else can I help you?',
}
/** Said where the call cannot be bridged: in a browser, or by a carrier that does not do that. */
export const callYourself = (number: string): string =>
  `I cannot connect you from here. Please call ${spokenNumber(number)}.`

/** A number digit by digit: `plus 1 2 0 2 …`. */
const spokenNumber = (number: string) => number.replace('+', 'plus').replace(/\d/g, ' $&')

export interface TransferOptions {
  /** Undefined where the call cannot be bridged. */
  bridge: BridgeCall | undefined
  floor: Floor
  speech: AssistantSpeech
  conversation: Conversation
  clock: Clock
  /** When the call has to be over, in milliseconds since the epoch. */
  endsAt: number
  /** Has the assistant say this when it may: a muted one says nothing. */
  say(text: string): void
  /** The transfer begins. */
  onBegun(destination: TransferDestination): void
  /** The carrier has the call. Nothing of it is heard here any more. */
  onBridged(): void
  /** The caller had gone meanwhile, and nothing was bridged. */
  onGone(): void
  /** Nobody has answered the transfer: the caller is here again. */
  onBack(): void
}

/** What became of a transfer that came to nothing, for the record and the model. */
const NOT_REACHED: Readonly<Record<UnansweredTransfer, string>> = {
  busy: 'the line was busy',
  'no-answer': 'nobody answered',
  failed: 'it could not be reached',
}

/** Hands a call over to a number: says so, then lets the carrier bridge it. One at a time. */
export class Transfer {
  readonly #options: TransferOptions
  #state: 'none' | 'announced' | 'bridging' | 'bridged' = 'none'
  #isGone = false
  #count = 0
  #number = ''
  /** Tells that the caller is back, once the carrier has said that it has the call. */
  #comeBack: (() => void) | undefined

  constructor(options: TransferOptions) {
    this.#options = options
  }

  /** Neither announced, nor asked for, nor made. */
  get isIdle(): boolean {
    return this.#state === 'none'
  }

  get isBridged(): boolean {
    return this.#state === 'bridged'
  }

  /** The number that has the call. */
  get bridgedTo(): string | undefined {
    return this.isBridged ? this.#number : undefined
  }

  /** The carrier was asked for it, or has the call. */
  get isUnderWay(): boolean {
    return this.#state === 'bridging' || this.isBridged
  }

  /** The link has closed. True where this is the transfer's doing, or may be: then the call is not over. */
  linkClosed(): boolean {
    this.#isGone = true
    return this.isUnderWay
  }

  /** Nobody has answered, and the carrier has given the call back: `take` takes its new link. The assistant says so and goes on. */
  unanswered(why: UnansweredTransfer, take: () => void): void {
    if (this.#state === 'bridging') {
      this.#comeBack = () => this.unanswered(why, take)
      return
    }
    const { conversation, clock, onBack, say } = this.#options
    this.#state = 'none'
    this.#isGone = false
    take()
    const text = `The transfer to ${this.#number} came to nothing: ${NOT_REACHED[why]}. The caller is back.`
    conversation.add({ role: 'system', text, time: clock.now() })
    onBack()
    say(BACK[why])
  }

  /** Begins, unless a transfer is under way, or there were too many. What is being said is cut. */
  start(destination: TransferDestination): void {
    if (this.#state !== 'none') return
    if (this.#count >= MOST_TRANSFERS) {
      this.#refuse(destination)
      return
    }
    this.#state = 'announced'
    this.#number = destination.number
    const { floor, onBegun } = this.#options
    onBegun(destination)
    floor.cut({ all: true })
    void floor.take({ interruptible: false, run: (signal) => this.#run(destination, signal) }).finally(() => {
      if (!this.isBridged) this.#state = 'none'
    })
  }

  #refuse({ number }: TransferDestination): void {
    const { conversation, clock, say } = this.#options
    const text = `The transfer to ${number} was refused: the call was to be transferred ${MOST_TRANSFERS} times already.`
    conversation.add({ role: 'system', text, time: clock.now() })
    say(NOT_AGAIN)
  }

  async #run(destination: TransferDestination, signal: AbortSignal): Promise<void> {
    const { bridge, speech, clock, conversation, endsAt, onBridged, onGone } = this.#options
    if (!bridge) {
      await speech.say(callYourself(destination.number), signal)
      return
    }
    const { message = ANNOUNCEMENT } = destination
    if (message.trim()) await speech.say(message, signal)
    if (signal.aborted) return
    this.#state = 'bridging'
    this.#count += 1
    const seconds = Math.max(1, Math.floor((endsAt - clock.now()) / 1000))
    const outcome = await bridge(destination, seconds)
    const comeBack = this.#comeBack
    this.#comeBack = undefined
    if (outcome === 'bridged' || comeBack) {
      this.#state = 'bridged'
      conversation.note(`The call was transferred to ${destination.number}.`, clock.now())
      onBridged()
      comeBack?.()
      return
    }
    this.#state = 'announced'
    conversation.note(
      `The transfer to ${destination.number} was ${outcome === 'refused' ? 'refused' : 'not made'}.`,
      clock.now(),
    )
    if (this.#isGone) onGone()
    else await speech.say(NOT_TRANSFERRED, signal)
  }
}
