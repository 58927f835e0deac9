import type { Clock } from '@heyline/kit/clock'

/** Bytes a second of all downloads together: a fifth of what a core can send, and an hour of speech in three seconds. */
const PER_SECOND = 16_000_000
/** So many go at once after a pause. */
const BURST = 4_000_000

/**
 * How fast all downloads of one kind, such as recordings, may be together. Each has one piece in the line, so that they take turns, and whoever begins
 * very many of them keeps the processor from nobody's call or page.
 */
export class DownloadPace {
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>
  /** When everything that was let go is sent, at that pace. */
  #sentAt = Number.NEGATIVE_INFINITY

  constructor(clock: Pick<Clock, 'monotonic' | 'after'>) {
    this.#clock = clock
  }

  /** Resolves when so many bytes may go. */
  async take(bytes: number): Promise<void> {
    const now = this.#clock.monotonic()
    const began = Math.max(this.#sentAt, now - (1000 * BURST) / PER_SECOND)
    this.#sentAt = began + (1000 * bytes) / PER_SECOND
    const waitMs = this.#sentAt - now
    if (waitMs > 0) await new Promise<void>((resolve) => this.#clock.after(waitMs, resolve))
  }
}
