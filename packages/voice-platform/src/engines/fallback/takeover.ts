import { type Clock, systemClock } from '@heyline/kit/clock'
import { EngineError } from '../engine.js'

/** How long the second engine stays in charge after the first has failed, in milliseconds. */
const COOL_DOWN_MS = 60_000
/** How long the first one may take to begin its answer where there is a second one, in milliseconds. */
const PATIENCE_MS = 4_000

export interface FallbackOptions {
  clock?: Clock
  coolDownMs?: number
  patienceMs?: number
  /** The second engine takes over from the first, which failed with this. */
  onTakeover?(error: unknown): void
}

/** Which of two engines is in charge: the first, or the second for a while after the first has failed. */
export class Takeover {
  readonly patienceMs: number
  readonly clock: Clock
  readonly #coolDownMs: number
  readonly #onTakeover: (error: unknown) => void
  #until = Number.NEGATIVE_INFINITY

  constructor({
    clock = systemClock,
    coolDownMs = COOL_DOWN_MS,
    patienceMs = PATIENCE_MS,
    onTakeover = () => {},
  }: FallbackOptions = {}) {
    this.clock = clock
    this.patienceMs = patienceMs
    this.#coolDownMs = coolDownMs
    this.#onTakeover = onTakeover
  }

  get isOn(): boolean {
    return this.clock.monotonic() < this.#until
  }

  /** The first engine has failed. */
  begin(error: unknown): void {
    const wasOn = this.isOn
    this.#until = this.clock.monotonic() + this.#coolDownMs
    if (!wasOn) this.#onTakeover(error)
  }
}

/** The wait for a first answer. */
export interface Wait {
  signal: AbortSignal
  /** The answer has begun. */
  begun(): void
  release(): void
}

/** A signal that also aborts when the first answer takes too long. */
export function impatient(engine: string, { clock, patienceMs }: Takeover, signal: AbortSignal): Wait {
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  const stop = clock.after(patienceMs, () =>
    controller.abort(new EngineError(engine, `no answer came within ${patienceMs} ms`)),
  )
  return {
    signal: controller.signal,
    begun: stop,
    release() {
      stop()
      signal.removeEventListener('abort', abort)
    },
  }
}
