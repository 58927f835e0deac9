import type { Clock } from '../clock/clock.js'

export interface BusyShareOptions {
  /** So many ms of work may be done without a rest. */
  burstMs: number
  /** Beyond that, the work's part of the time: 0.25 rests three times as long as the work took. */
  share: number
  /** Longest rest, in ms. */
  longestRestMs: number
}

/** How long each of those who keep the database busy has to rest, so that they have no more than their share of it. */
export class BusyShare {
  readonly #options: BusyShareOptions
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>
  /** What each was busy for, in ms, as of a moment; it grows less by the share. Who owes nothing is not here. */
  readonly #busy = new Map<string, { ms: number; at: number }>()

  constructor(options: BusyShareOptions, clock: Pick<Clock, 'monotonic' | 'after'>) {
    this.#options = options
    this.#clock = clock
  }

  /** How long this one rests before the next work, in ms. */
  restMs(who: string): number {
    const { burstMs, share } = this.#options
    return Math.max(0, (this.#busyMs(who) - burstMs) / share)
  }

  /** Resolves when this one has rested. Rejects with the reason of `left` if that is first. */
  async rest(who: string, left?: AbortSignal): Promise<void> {
    const restMs = this.restMs(who)
    if (restMs <= 0) return
    left?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        stop()
        reject(left?.reason)
      }
      const stop = this.#clock.after(restMs, () => {
        left?.removeEventListener('abort', giveUp)
        resolve()
      })
      left?.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** Counts work that took so many ms. */
  count(who: string, ms: number): void {
    const { burstMs, share, longestRestMs } = this.#options
    const most = burstMs + share * longestRestMs
    this.#busy.set(who, { ms: Math.min(this.#busyMs(who) + ms, most), at: this.#clock.monotonic() })
  }

  #busyMs(who: string): number {
    const busy = this.#busy.get(who)
    if (!busy) return 0
    const ms = busy.ms - (this.#clock.monotonic() - busy.at) * this.#options.share
    if (ms <= 0) this.#busy.delete(who)
    return Math.max(0, ms)
  }
}
