import { FRAME_MS, FRAME_SAMPLES } from '@heyline/room-protocol'
import type { Clock } from '../clock.js'

/** Silence that ends a turn, in milliseconds. */
const END_MS = 500
const END_FRAMES = END_MS / FRAME_MS
/** Kept from before a turn was noticed: 300 ms, so that no first sound is lost. */
const LEAD_FRAMES = 15
/** Kept of the silence at a turn's end: 200 ms. */
const TAIL_FRAMES = 10
/** Longest turn, in frames: one minute. A radio in the room does not fill the memory. */
const MOST_FRAMES = 60_000 / FRAME_MS

export interface TurnOptions {
  vad: { isSpeech(frame: Int16Array): boolean }
  clock: Clock
  /** How many frames with speech in a row begin a turn. Asked for every frame. */
  framesToStart(): number
  started(): void
  /** `speech` is PCM16 mono 16 kHz, with a little of the silence around it. */
  ended(speech: Int16Array): void
}

/**
 * Finds the caller's turns in the caller's audio. A turn ends after 500 ms of silence, or when no audio came for as long
 * (a muted microphone sends nothing), or after a minute.
 */
export class TurnDetector {
  readonly #options: TurnOptions
  #rest = new Int16Array(0)
  #frames: Int16Array[] = []
  #voicedRun = 0
  #silentRun = 0
  #speaking = false
  #lastAudio = 0
  #stopTimer = () => {}

  constructor(options: TurnOptions) {
    this.#options = options
  }

  /** True while the caller has the turn. */
  get speaking(): boolean {
    return this.#speaking
  }

  /** Takes any number of samples. */
  audio(samples: Int16Array): void {
    this.#lastAudio = this.#options.clock.now()
    const all = new Int16Array(this.#rest.length + samples.length)
    all.set(this.#rest)
    all.set(samples, this.#rest.length)
    let start = 0
    for (; start + FRAME_SAMPLES <= all.length; start += FRAME_SAMPLES)
      this.#frame(all.slice(start, start + FRAME_SAMPLES))
    this.#rest = all.slice(start)
  }

  /** Forgets what was heard; no event follows. */
  close(): void {
    this.#stopTimer()
    this.#frames = []
    this.#rest = new Int16Array(0)
    this.#speaking = false
  }

  #frame(frame: Int16Array): void {
    const isVoiced = this.#options.vad.isSpeech(frame)
    this.#voicedRun = isVoiced ? this.#voicedRun + 1 : 0
    this.#silentRun = isVoiced ? 0 : this.#silentRun + 1
    this.#frames.push(frame)
    if (this.#speaking) {
      if (this.#silentRun >= END_FRAMES || this.#frames.length >= MOST_FRAMES) this.#end()
      return
    }
    if (this.#frames.length > LEAD_FRAMES) this.#frames.shift()
    if (this.#voicedRun >= this.#options.framesToStart()) this.#start()
  }

  #start(): void {
    this.#speaking = true
    this.#watch(END_MS)
    this.#options.started()
  }

  #end(): void {
    this.#stopTimer()
    const unneeded = Math.max(0, this.#silentRun - TAIL_FRAMES)
    const frames = this.#frames.slice(0, this.#frames.length - unneeded)
    this.#frames = []
    this.#voicedRun = 0
    this.#speaking = false
    const speech = new Int16Array(frames.length * FRAME_SAMPLES)
    frames.forEach((frame, index) => {
      speech.set(frame, index * FRAME_SAMPLES)
    })
    this.#options.ended(speech)
  }

  /** One timer a turn, not one a frame. */
  #watch(ms: number): void {
    const { clock } = this.#options
    this.#stopTimer = clock.after(ms, () => {
      const quietMs = clock.now() - this.#lastAudio
      if (quietMs >= END_MS) this.#end()
      else this.#watch(END_MS - quietMs)
    })
  }
}
