import type { Clock } from '@heyline/kit/clock'

/** How long the record of a call that is over waits for the caller's last words, in milliseconds. */
const LAST_WORDS_MS = 5_000
/** The same where the process is about to stop. */
const HURRIED_MS = 300

/** The caller's words that become known only after the end of a call: "stop calling me", and the phone is down. */
export class LastWords {
  readonly #clock: Clock
  readonly #closing: AbortSignal | undefined
  readonly #late = new AbortController()

  /** `closing` aborts when the process is about to stop. */
  constructor(clock: Clock, closing?: AbortSignal) {
    this.#clock = clock
    this.#closing = closing
  }

  /** Aborts when they are no longer waited for. */
  get signal(): AbortSignal {
    return this.#late.signal
  }

  /** Resolves when they are known, or come too late. `known` settles when the signal aborts, and never rejects. */
  async wait(known: Promise<unknown>): Promise<void> {
    const closing = this.#closing
    const giveUp = () => this.#late.abort(new DOMException('the words come too late', 'AbortError'))
    const stop = this.#clock.after(closing?.aborted ? HURRIED_MS : LAST_WORDS_MS, giveUp)
    closing?.addEventListener('abort', giveUp, { once: true })
    await known
    stop()
    closing?.removeEventListener('abort', giveUp)
  }
}
