import type { WallClock } from '@heyline/kit/wall-clock'
import type { Emitter } from './events/emitter.js'
import type { WebCallEvents } from './web-call-events.js'

/** Above this sum of levels somebody speaks (spec 9). */
const SPEAKING_LEVEL = 0.01
/** Speech has ended when it was not heard for so long (spec 9). */
const SPEECH_END_MS = 1000
/** The sum of levels that counts as full volume (spec 9). */
const FULL_LEVEL = 0.15

/** Turns the levels of a room into `volume-level`, `speech-start` and `speech-end`. */
export class SpeechMeter {
  readonly #events: Emitter<WebCallEvents>
  readonly #clock: WallClock
  #cancelEnd: (() => void) | undefined
  #isClosed = false

  constructor(events: Emitter<WebCallEvents>, clock: WallClock) {
    this.#events = events
    this.#clock = clock
  }

  measure(levels: Record<string, number>): void {
    const sum = Object.values(levels).reduce((total, level) => total + (level || 0), 0)
    this.#events.emit('volume-level', Math.min(1, sum / FULL_LEVEL))
    // A listener may have ended the call.
    if (this.#isClosed || sum <= SPEAKING_LEVEL) return
    const wasSpeaking = this.#cancelEnd !== undefined
    this.#cancelEnd?.()
    this.#cancelEnd = this.#clock.after(SPEECH_END_MS, () => this.#stop())
    if (!wasSpeaking) this.#events.emit('speech-start')
  }

  /** Ends the speech that is being heard, if any; none begins any more. */
  close(): void {
    this.#isClosed = true
    this.#stop()
  }

  #stop(): void {
    if (!this.#cancelEnd) return
    this.#cancelEnd()
    this.#cancelEnd = undefined
    this.#events.emit('speech-end')
  }
}
