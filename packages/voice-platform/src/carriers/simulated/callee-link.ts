import type { Clock } from '@heyline/kit/clock'
import type { AppMessage } from '@heyline/room-protocol'
import { CallerFeed } from '../../link/caller-feed.js'
import type { Link, LinkHandlers, MarkOutcome } from '../../link/link.js'
import { Playout } from '../../link/playout.js'

/** How long the callee waits after the last word before hanging up, in milliseconds. */
const POLITE_MS = 1_500

/** How long the callee waits for a first word, in milliseconds. */
const PATIENCE_MS = 10_000

/**
 * The simulated callee, who answers when no pocket phone is open. It listens in real time to what is said first, waits a moment and
 * hangs up. It says nothing, so it never interrupts the assistant.
 */
export class CalleeLink implements Link {
  /** Resolves when the call is over, whoever ended it. */
  readonly gone: Promise<void>
  readonly #clock: Clock
  readonly #feed = new CallerFeed()
  readonly #playout: Playout
  #spokenTo = false
  #stopTimer: () => void
  #leave: () => void = () => undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.gone = new Promise((resolve) => {
      this.#leave = resolve
    })
    this.#playout = new Playout(clock, { onDrained: () => this.#heardAll() })
    this.#stopTimer = clock.after(PATIENCE_MS, () => this.#hangUp())
  }

  open(handlers: LinkHandlers): void {
    this.#feed.open(handlers)
  }

  send(samples: Int16Array): void {
    if (this.#feed.over || samples.length === 0) return
    this.#spokenTo = true
    this.#stopTimer()
    this.#playout.add(samples)
  }

  mark(): Promise<MarkOutcome> {
    return this.#playout.mark()
  }

  async clear(): Promise<number> {
    const playedMs = this.#playout.clear()
    this.#heardAll()
    return playedMs
  }

  listening(): void {}

  event(_message: AppMessage): void {}

  close(_endedReason: string): void {
    if (this.#feed.over) return
    this.#feed.end()
    this.#end()
  }

  #heardAll(): void {
    if (this.#feed.over || !this.#spokenTo) return
    this.#stopTimer()
    this.#stopTimer = this.#clock.after(POLITE_MS, () => this.#hangUp())
  }

  #hangUp(): void {
    this.#end()
    this.#feed.closed('left')
  }

  #end(): void {
    this.#stopTimer()
    this.#playout.end()
    this.#leave()
  }
}
