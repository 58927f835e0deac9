import type { AssistantSpeech } from './assistant-speech.js'
import type { Cast } from './cast.js'
import type { ClientMessage } from './client-message.js'
import type { Floor } from './floor.js'
import type { Opening } from './session.js'

export interface AssistantPartOptions {
  cast: Cast
  floor: Floor
  speech: AssistantSpeech
  /** Ends the call with the platform's reason. */
  end(endedReason: string): void
}

/** What the assistant says in a call: the greeting, answers, given texts and the goodbye, one at a time. */
export class AssistantPart {
  readonly #options: AssistantPartOptions
  #isMuted = false
  /** Before the call was transferred. */
  #wasMuted = false
  #isLeaving = false
  #isGreeting = false

  constructor(options: AssistantPartOptions) {
    this.#options = options
  }

  /** A muted assistant hears and notes, and says nothing. */
  get isMuted(): boolean {
    return this.#isMuted
  }

  /** The assistant says goodbye. The call ends after it. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  mute(isMuted: boolean): void {
    this.#isMuted = isMuted
    if (isMuted) this.#options.floor.cut({ all: true })
  }

  /** Says nothing while the carrier has the call. */
  hold(): void {
    this.#wasMuted = this.#isMuted
    this.mute(true)
  }

  /** The caller is back. */
  resume(): void {
    this.mute(this.#wasMuted)
  }

  /** Runs something when the floor is free. The caller may interrupt it by default. Resolves when it is over or was dropped. */
  take(run: (signal: AbortSignal) => Promise<void>, { interruptible = true } = {}): Promise<void> {
    return this.#options.floor.take({
      interruptible,
      run: async (signal) => (this.#isMuted || this.#isLeaving ? undefined : run(signal)),
    })
  }

  /** Says what the caller has to hear first. */
  open({ text, onSaid }: Opening): void {
    let isHeard = false
    const say = async (signal: AbortSignal) => {
      isHeard = await this.#options.speech.say(text, signal)
    }
    void this.take(say, { interruptible: false }).then(() => onSaid(isHeard))
  }

  /** Says the first message, unless it is already being said or there is none. */
  greet(): void {
    const { cast, speech } = this.#options
    const { firstMessage, modelSpeaksFirst, firstMessageInterruptible = false } = cast.now.assistant
    if (this.#isGreeting || !(modelSpeaksFirst || firstMessage?.trim())) return
    this.#isGreeting = true
    const greet = (signal: AbortSignal) =>
      modelSpeaksFirst ? speech.reply(signal) : speech.say(firstMessage ?? '', signal).then(() => undefined)
    void this.take(greet, { interruptible: firstMessageInterruptible }).then(() => {
      this.#isGreeting = false
    })
  }

  /** Begins after a handoff: as at the start of a call, but one without a first message has its model go on, unless it waits for the caller. */
  takeOver(): void {
    const { cast, speech } = this.#options
    const { firstMessage, modelSpeaksFirst, waitsForCaller } = cast.now.assistant
    // The greeting of the one before may have been cut just now.
    this.#isGreeting = false
    if (modelSpeaksFirst || firstMessage?.trim()) this.greet()
    else if (!waitsForCaller) void this.take((signal) => speech.reply(signal))
  }

  /** Says the client's words. */
  say(message: Extract<ClientMessage, { type: 'say' }>): void {
    const { floor, speech, end } = this.#options
    if (message.interruptAssistantEnabled) floor.cut({ all: true })
    void floor.take({
      interruptible: message.interruptionsEnabled,
      run: async (signal) => {
        if (!this.#isMuted) await speech.say(message.text, signal)
        if (message.endCallAfterSpoken) end('assistant-ended-call-after-message-spoken')
      },
    })
  }

  /** Cuts what is being said, says goodbye if the assistant has a text for it, and ends the call. */
  leave(): void {
    this.#sayLast(this.#options.cast.now.assistant.endCallMessage, 'assistant-ended-call')
  }

  /** The same for a voicemail box. */
  leaveMessage(): void {
    this.#sayLast(this.#options.cast.now.assistant.voicemailMessage, 'voicemail')
  }

  /** The same with words of the server's own, and for its own reason. Who says goodbye already, goes on with that. */
  leaveWith(text: string, endedReason: string): void {
    if (!this.#isLeaving) this.#sayLast(text, endedReason)
  }

  #sayLast(text: string | undefined, endedReason: string): void {
    const { floor, speech, end } = this.#options
    if (this.#isMuted || !text?.trim()) {
      end(endedReason)
      return
    }
    this.#isLeaving = true
    floor.cut({ all: true })
    const run = (signal: AbortSignal) => speech.say(text, signal).then(() => undefined)
    void floor.take({ interruptible: false, run }).then(() => end(endedReason))
  }
}
