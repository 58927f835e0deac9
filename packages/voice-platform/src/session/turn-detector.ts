import type { Clock } from '@heyline/kit/clock'
import { FRAME_MS, FRAME_SAMPLES } from '@heyline/room-protocol'

/** Silence after which the caller may have finished, in milliseconds: no turn ends before it. */
export const PAUSE_MS = 160
const PAUSE_FRAMES = PAUSE_MS / FRAME_MS
/** Time without any audio that counts as silence, as from a muted microphone. Shorter gaps are a shaky line. */
const STALL_MS = 500
/** How often a turn without audio is checked after that. */
const CHECK_MS = 100
/** Silence that is enough where others have heard a pause, in frames: 40 ms. */
const TOLD_FRAMES = 2
/** Frames kept from before the turn was noticed (300 ms), so that no first sound is lost. */
const LEAD_FRAMES = 15
/** Longest turn, in frames: one minute. So a radio in the background cannot fill the memory. */
const MOST_FRAMES = 60_000 / FRAME_MS

/** What the caller said in one go. */
export interface Turn {
  /** PCM16 mono 16 kHz, with a little of the silence around it. */
  speech: Int16Array
  /** When the caller began and stopped speaking, in milliseconds since the epoch. */
  startedAt: number
  endedAt: number
}

export interface TurnOptions {
  vad: { isSpeech(frame: Int16Array): boolean }
  clock: Clock
  /** How many frames with speech in a row begin a turn. Asked for every frame. */
  framesToStart(): number
  /** How many milliseconds of silence end the turn, as far as is known now. Asked at every silent frame from the first pause on. */
  endsAfterMs(): number
  onStarted(): void
  /** All audio of the turn, as it comes: first what led to it, then frame by frame. */
  onTurnAudio?(samples: Int16Array): void
  /** The caller may have finished. The turn ends as it is here, unless the caller goes on. */
  onPaused(turn: Turn): void
  /** The caller goes on after a pause. */
  onResumed(): void
  /** The turn is over. A pause came before it, unless the turn was cut for its length. */
  onEnded(turn: Turn): void
}

/**
 * Finds the caller's turns in the caller's audio. A turn pauses after 160 ms of silence. It ends when the silence is long enough, or
 * after a minute. No audio for 500 ms is silence too: a muted microphone sends nothing.
 */
export class TurnDetector {
  readonly #options: TurnOptions
  #rest = new Int16Array(0)
  #frames: Int16Array[] = []
  #voicedRun = 0
  #silentRun = 0
  #speaking = false
  #pausing = false
  #startedAt = 0
  #lastAudio = 0
  #stopTimer = () => {}

  constructor(options: TurnOptions) {
    this.#options = options
  }

  /** True while the caller has the turn. */
  get speaking(): boolean {
    return this.#speaking
  }

  /** Takes any number of samples, and keeps them: nobody may change them any more. */
  audio(samples: Int16Array): void {
    this.#lastAudio = this.#options.clock.now()
    // As most clients send it. A copy for each frame of each call adds up.
    if (this.#rest.length === 0 && samples.length === FRAME_SAMPLES) {
      this.#frame(samples)
      return
    }
    const all = new Int16Array(this.#rest.length + samples.length)
    all.set(this.#rest)
    all.set(samples, this.#rest.length)
    let start = 0
    for (; start + FRAME_SAMPLES <= all.length; start += FRAME_SAMPLES)
      this.#frame(all.slice(start, start + FRAME_SAMPLES))
    this.#rest = all.slice(start)
  }

  /** Ends the turn if the silence is long enough. Call it when `endsAfterMs` may have become shorter. */
  check(): void {
    if (this.#pausing && this.#silentMs >= this.#options.endsAfterMs()) this.#end()
  }

  /** Somebody else who listens has heard a pause. It counts if the caller is silent here as well. True if the turn pauses now. */
  pauseTold(): boolean {
    if (this.#speaking && this.#silentRun >= TOLD_FRAMES) this.#pause()
    return this.#pausing
  }

  /** Nobody speaks any more: a turn that is open ends as it is. No callback follows after that. */
  close(): void {
    if (this.#speaking) this.#end()
    this.#frames = []
    this.#rest = new Int16Array(0)
  }

  #frame(frame: Int16Array): void {
    const isVoiced = this.#options.vad.isSpeech(frame)
    this.#voicedRun = isVoiced ? this.#voicedRun + 1 : 0
    this.#silentRun = isVoiced ? 0 : this.#silentRun + 1
    this.#frames.push(frame)
    if (this.#speaking) {
      this.#options.onTurnAudio?.(frame)
      if (isVoiced) this.#resume()
      else if (this.#silentRun >= PAUSE_FRAMES) this.#pause()
      this.check()
      if (this.#frames.length >= MOST_FRAMES) this.#end()
      return
    }
    if (this.#frames.length > LEAD_FRAMES) this.#frames.shift()
    if (this.#voicedRun >= this.#options.framesToStart()) this.#start()
  }

  #start(): void {
    this.#speaking = true
    this.#startedAt = this.#options.clock.now() - this.#voicedRun * FRAME_MS
    this.#watch(STALL_MS)
    this.#options.onStarted()
    for (const frame of this.#frames) this.#options.onTurnAudio?.(frame)
  }

  #pause(): void {
    if (this.#pausing) return
    this.#pausing = true
    this.#options.onPaused(this.#turn())
  }

  #resume(): void {
    if (!this.#pausing) return
    this.#pausing = false
    this.#options.onResumed()
  }

  #end(): void {
    this.#stopTimer()
    const turn = this.#turn()
    this.#frames = []
    this.#voicedRun = 0
    this.#speaking = false
    this.#pausing = false
    this.#options.onEnded(turn)
  }

  /** The turn without the silence after its pause, so it stays the same from the pause on. */
  #turn(): Turn {
    const unneeded = Math.max(0, this.#silentRun - PAUSE_FRAMES)
    const frames = this.#frames.slice(0, this.#frames.length - unneeded)
    const speech = new Int16Array(frames.length * FRAME_SAMPLES)
    frames.forEach((frame, index) => {
      speech.set(frame, index * FRAME_SAMPLES)
    })
    return { speech, startedAt: this.#startedAt, endedAt: this.#options.clock.now() - this.#silentMs }
  }

  get #silentMs(): number {
    const quietMs = this.#options.clock.now() - this.#lastAudio
    return this.#silentRun * FRAME_MS + (quietMs >= STALL_MS ? quietMs : 0)
  }

  /** One timer for each turn, not for each frame. */
  #watch(ms: number): void {
    const { clock } = this.#options
    this.#stopTimer = clock.after(ms, () => {
      const quietMs = clock.now() - this.#lastAudio
      if (quietMs < STALL_MS) return this.#watch(STALL_MS - quietMs)
      this.#pause()
      this.check()
      if (this.#speaking) this.#watch(CHECK_MS)
    })
  }
}
