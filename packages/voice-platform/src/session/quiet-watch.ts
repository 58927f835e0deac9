import type { Clock } from '@heyline/kit/clock'

/** How long an assistant that should speak may be silent until it counts as hanging, as the platform has it. */
const HANG_MS = 5000

export interface QuietEvents {
  /** Nobody has spoken for the timeout. */
  onSilent(): void
  /** The assistant should speak, and has not for five seconds. Told once each time. */
  onHang(): void
}

/** Watches a call for quiet of both kinds: nobody speaks, or the assistant does not that should. */
export class QuietWatch {
  readonly #silence: SilenceWatch
  readonly #hang: SilenceWatch

  constructor(clock: Clock, timeoutMs: number, events: QuietEvents) {
    this.#silence = new SilenceWatch(clock, timeoutMs, () => events.onSilent())
    this.#hang = new SilenceWatch(clock, HANG_MS, () => events.onHang())
  }

  /** How it stands. `busy`: the assistant speaks or has something to say. `audible`: the caller hears it. */
  update({ callerSpeaks, busy, audible }: { callerSpeaks: boolean; busy: boolean; audible: boolean }): void {
    this.#silence.update(!callerSpeaks && !busy)
    this.#hang.update(!callerSpeaks && busy && !audible)
  }

  /** Somebody is there without speaking: the silence counts anew from the next update. */
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

  /** Tells whether it is quiet right now; the time runs from when it became so. */
  update(isQuiet: boolean): void {
    if (!isQuiet) this.close()
    else this.#stop ??= this.#clock.after(this.#timeoutMs, this.#onTimeout)
  }

  close(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}
