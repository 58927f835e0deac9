import type { AppMessage } from '@heyline/room-protocol'
import type { CallerWords } from '../link/caller-words.js'
import type { Link, LinkHandlers, MarkOutcome } from '../link/link.js'
import type { CallSound } from './call-sound.js'

/** A link whose sound is recorded, both ways. It does what the link does. */
export class RecordedLink implements Link {
  readonly words: CallerWords | undefined
  readonly #link: Link
  readonly #sound: CallSound
  readonly #isOver: () => boolean

  /** Once it is over, nothing more is kept. */
  constructor(link: Link, sound: CallSound, isOver: () => boolean) {
    this.words = link.words
    this.#link = link
    this.#sound = sound
    this.#isOver = isOver
  }

  open(handlers: LinkHandlers): void {
    this.#link.open({
      onAudio: (samples) => {
        if (!this.#isOver()) this.#sound.caller(samples)
        handlers.onAudio(samples)
      },
      onMessage: (message) => handlers.onMessage(message),
      onDigit: (digit) => handlers.onDigit(digit),
      onClosed: (reason) => handlers.onClosed(reason),
    })
  }

  send(samples: Int16Array): void {
    if (!this.#isOver()) this.#sound.sent(samples)
    this.#link.send(samples)
  }

  get press(): Link['press'] {
    return this.#link.press?.bind(this.#link)
  }

  async mark(): Promise<MarkOutcome> {
    const settle = this.#sound.marked()
    const outcome = await this.#link.mark()
    settle(outcome)
    return outcome
  }

  async clear(): Promise<number> {
    const settle = this.#sound.cleared()
    const playedMs = await this.#link.clear()
    settle(playedMs)
    return playedMs
  }

  office(isOn = true): void {
    this.#link.office?.(isOn)
  }

  listening(): void {
    this.#link.listening()
  }

  event(message: AppMessage): void {
    this.#link.event(message)
  }

  close(endedReason: string): void {
    this.#link.close(endedReason)
  }
}
