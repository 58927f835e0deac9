import type { WallClock } from '@heyline/kit/wall-clock'
import { errorText } from './error-details.js'
import type { Emitter } from './events/emitter.js'
import {
  type StartProgressEvent,
  type StartStage,
  timestampOf,
  type WebCallEvents,
} from './web-call-events.js'

type Metadata = StartProgressEvent['metadata']

/** Tells the stages of one start as `call-start-progress`. */
export class StartProgress {
  /** The stage that was begun last. */
  stage: StartStage = 'initialization'
  readonly #events: Emitter<WebCallEvents>
  readonly #clock: WallClock
  readonly #startedAt: number

  constructor(events: Emitter<WebCallEvents>, clock: WallClock) {
    this.#events = events
    this.#clock = clock
    this.#startedAt = clock.now()
  }

  /** Milliseconds since the start began. */
  get totalDuration(): number {
    return this.#clock.now() - this.#startedAt
  }

  /** Begins a stage and returns its end, which tells the time it took. */
  begin(stage: StartStage, metadata?: Metadata): (metadata?: Metadata) => void {
    this.stage = stage
    const began = this.#clock.now()
    this.#tell('started', metadata)
    return (completed) => this.#tell('completed', completed, this.#clock.now() - began)
  }

  /** Tells that a stage had nothing to do. */
  skip(stage: StartStage, action: string): void {
    this.stage = stage
    this.#tell('completed', { action })
  }

  /** The stage that was begun last has failed. */
  fail(error: unknown): void {
    this.#tell('failed', { error: errorText(error) })
  }

  #tell(status: StartProgressEvent['status'], metadata?: Metadata, duration?: number): void {
    this.#events.emit('call-start-progress', {
      stage: this.stage,
      status,
      timestamp: timestampOf(this.#clock),
      ...(duration !== undefined && { duration }),
      ...(metadata && { metadata }),
    })
  }
}
