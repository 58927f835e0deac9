import type { Clock } from '@heyline/kit/clock'

/** An assistant that should speak counts as hanging after this much silence, as on the hosted platform. */
const HANG_MS = 5000

export interface QuietEvents {
  /** Nobody has spoken for the timeout. */
  onSilent(): void
  /** The assistant should speak, and has been silent for five seconds. Called once for each such silence. */
  onHang(): void
}

/** Watches a call for two kinds of quiet: nobody speaks, or the assistant should speak and does not. */
export class QuietWatch {
  readonly #clock: Clock
  readonly #events: QuietEvents
  #silence: SilenceWatch
  readonly #hang: SilenceWatch

  constructor(clock: Clock, timeoutMs: number, events: QuietEvents) {
    this.#clock = clock
    this.#events = events
    this.#silence = new SilenceWatch(clock, timeoutMs, () => events.onSilent())
    this.#hang = new SilenceWatch(clock, HANG_MS, () => events.onHang())
  }

  /** Another assistant listens, with another timeout. The silence is counted anew from the next update. */
  follow(timeoutMs: number): void {
    this.close()
    this.#silence = new SilenceWatch(this.#clock, timeoutMs, () => this.#events.onSilent())
  }

  /** Says who speaks now. `busy`: the assistant speaks or has something to say. `audible`: the caller hears it. */
  update({ callerSpeaks, busy, audible }: { callerSpeaks: boolean; busy: boolean; audible: boolean }): void {
    this.#silence.update(!callerSpeaks && !busy)
    this.#hang.update(!callerSpeaks && busy && !audible)
  }

  /** A sign of life without speech. The silence is counted anew from the next update. */
  stir(): void {
    this.#silence.close()
  }

  close(): void {
    this.#silence.close()
    this.#hang.close()
  }
}

/** Goes off once it has been quiet for a given time. */
class SilenceWatch {
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #onTimeout: () => void
  #stop: (() => void) | undefined

  constructor(clock: Clock, timeoutMs: number, onTimeout: () => void) {
    this.#clock = clock
    this.#timeoutMs = timeoutMs
    this.#onTimeout = onTimeout
  }

  /** Says whether it is quiet now. The time runs from the beginning of the quiet. */
  update(isQuiet: boolean): void {
    if (!isQuiet) this.close()
    else this.#stop ??= this.#clock.after(this.#timeoutMs, this.#onTimeout)
  }

  close(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}
