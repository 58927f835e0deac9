import type { Clock } from '@heyline/kit/clock'
import { FRAME_MS, FRAME_SAMPLES } from '@heyline/room-protocol'
import { OfficeSound } from '../audio/office-sound.js'

/** How far the sound may fall behind and still send all frames it owes, in milliseconds. Beyond that the time is lost. */
const SLACK_MS = 100

/**
 * What a client in real time hears behind the assistant. While there is a sound, a frame goes out every 20 ms: speech with the sound under
 * it, or the sound alone.
 */
export class Background {
  readonly #clock: Clock
  readonly #send: (samples: Int16Array) => void
  #sound: OfficeSound | undefined
  /** Until when the client has something to play. */
  #until = 0
  #stopTimer = () => {}

  constructor(clock: Clock, send: (samples: Int16Array) => void) {
    this.#clock = clock
    this.#send = send
  }

  office(isOn = true): void {
    if (!isOn) this.end()
    if (!isOn || this.#sound) return
    this.#sound = new OfficeSound()
    this.#pump()
  }

  /** Sends a piece of speech, at most 20 ms, which begins to be heard now. */
  under(samples: Int16Array): void {
    if (!this.#sound) {
      this.#send(samples)
      return
    }
    const mixed = samples.slice()
    this.#sound.addTo(mixed)
    this.#until = Math.max(this.#until, this.#clock.monotonic()) + (mixed.length / FRAME_SAMPLES) * FRAME_MS
    this.#send(mixed)
  }

  /** Idempotent. */
  end(): void {
    this.#stopTimer()
    this.#sound = undefined
  }

  #pump(): void {
    if (!this.#sound) return
    const now = this.#clock.monotonic()
    if (this.#until < now - SLACK_MS) this.#until = now
    for (; this.#until <= now; this.#until += FRAME_MS) this.#send(this.#sound.alone(FRAME_SAMPLES))
    this.#stopTimer = this.#clock.after(this.#until - now, () => this.#pump())
  }
}
