import type { Clock } from '@heyline/kit/clock'
import { FRAME_MS, SAMPLE_RATE } from '@heyline/room-protocol'
import type { MarkOutcome } from '../link/link.js'
import { ComfortNoise } from './comfort-noise.js'
import { encodeMuLaw } from './mu-law.js'
import { OfficeSound } from './office-sound.js'
import { Resampler } from './resampler.js'
import { SpeechQueue } from './speech-queue.js'

const PHONE_RATE = 8_000
/** Mu-law bytes of one frame. */
const FRAME_BYTES = (PHONE_RATE * FRAME_MS) / 1000
const SAMPLES_PER_MS = SAMPLE_RATE / 1000
const SILENCE = new Int16Array(FRAME_MS * SAMPLES_PER_MS)
/** How far the line may fall behind and still send all frames it owes. Beyond that the far end has run dry, and time is lost. */
const SLACK_MS = 60
/** After so much silence all speech was heard for certain, so what the far end still holds is noise. */
const SETTLED_MS = 300
/** How much later than expected the far end may play a fade, in milliseconds. Whatever it holds after that is stale. */
const STALE_MS = 60

/** Where a line's frames go. */
export interface LineWire {
  /** 20 ms of mu-law (160 bytes), not to be written to. `at` counts samples since the line began: it jumps where the line stood still. */
  frame(bytes: Uint8Array, at: number): void
  /** Asks the far end to tell when it has played all frames so far; `LineOut.reached` is to be called then. Left out: the clock tells. */
  mark?(name: string): void
  /** Drops what the far end has not played yet. Left out where frames cannot be taken back. */
  clear?(): void
}

export interface LineOutOptions {
  clock: Clock
  wire: LineWire
  /** How far frames run ahead of the far end's ear, in milliseconds: what the far end can hold. 0 where it plays what comes (RTP). */
  leadMs: number
}

interface Mark {
  /** Milliseconds of speech sent before it, since the last clear. */
  sentMs: number
  settle(outcome: MarkOutcome): void
  callOff(): void
}

/**
 * Our voice on a phone line, whoever carries it: mu-law frames in real time, with a faint noise under all of them. It makes no
 * clicks: one resampler for the whole call, and a fade of 5 ms wherever speech is cut or runs out.
 */
export class LineOut {
  readonly #clock: Clock
  readonly #wire: LineWire
  readonly #leadMs: number
  #noise: ComfortNoise | OfficeSound = new ComfortNoise()
  readonly #toPhone = new Resampler(SAMPLE_RATE, PHONE_RATE)
  readonly #speech = new SpeechQueue()
  readonly #marks = new Map<string, Mark>()
  #markCount = 0
  #isOpen = false
  #isOver = false
  /** When the far end has played all that was sent. */
  #until = 0
  #position = 0
  /** When it has played all speech. */
  #spokenUntil = Number.NEGATIVE_INFINITY
  #sentMs = 0
  #markedMs = 0
  /** The resampler holds nothing but silence. */
  #isFlushed = true
  #stopTimer = () => {}
  #stopStale = () => {}

  constructor({ clock, wire, leadMs }: LineOutOptions) {
    this.#clock = clock
    this.#wire = wire
    this.#leadMs = leadMs
  }

  /** The line is heard from now on: noise where nobody speaks. Speech and marks open it too. Idempotent. */
  open(): void {
    if (this.#isOpen || this.#isOver) return
    this.#isOpen = true
    this.#until = this.#clock.monotonic()
    this.#pump()
  }

  /** The sound of an office instead of the noise, under speech and between it; or the noise again. */
  office(isOn = true): void {
    if (isOn === this.#noise instanceof OfficeSound) return
    this.#noise = isOn ? new OfficeSound(PHONE_RATE) : new ComfortNoise()
  }

  /** Queues speech: PCM16 mono 16 kHz. */
  speak(samples: Int16Array): void {
    if (this.#isOver || samples.length === 0) return
    this.#speech.add(samples)
    this.#stopStale()
    this.#skipNoise()
    this.#go()
  }

  /** Calls back when the frames of all speech before it were sent. Dropped with speech that is cut. */
  cue(reached: () => void): void {
    if (this.#isOver) return
    this.#speech.mark(reached)
    this.#go()
  }

  /** Resolves when all speech before it was played, or dropped. Never rejects. */
  mark(): Promise<MarkOutcome> {
    if (this.#isOver) return Promise.resolve('cleared')
    this.#markCount += 1
    const name = String(this.#markCount)
    return new Promise((settle) => {
      const mark: Mark = { sentMs: 0, settle, callOff: () => {} }
      this.#marks.set(name, mark)
      this.#speech.mark(() => this.#sent(name, mark))
      this.#go()
    })
  }

  /** The far end has played all frames before this mark. Other names are passed over. */
  reached(name: string): void {
    const mark = this.#marks.get(name)
    if (mark === undefined) return
    this.#marks.delete(name)
    mark.callOff()
    this.#markedMs = Math.max(this.#markedMs, mark.sentMs)
    mark.settle('played')
  }

  /**
   * Drops all speech that was not sent. What runs ahead is still heard, and fades out. Returns the milliseconds of speech that are
   * heard since the last mark that was reached. After the end of the line the clock tells what was played.
   */
  clear(): number {
    const heard = Math.max(0, Math.round(this.#sentMs - this.#markedMs))
    this.#sentMs = 0
    this.#markedMs = 0
    if (this.#isOver) return heard
    this.#dropMarks()
    this.#speech.cut()
    if (this.#clock.monotonic() <= this.#spokenUntil) this.#clearStale()
    return heard
  }

  /** Nothing goes out any more. Idempotent. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopTimer()
    this.#stopStale()
    const unheard = Math.max(0, this.#spokenUntil - this.#clock.monotonic())
    this.#sentMs = Math.max(this.#markedMs, this.#sentMs - unheard)
    this.#dropMarks()
  }

  #go(): void {
    if (this.#isOpen) this.#pump()
    else this.open()
  }

  /** Sends what is due, and comes back when more is. */
  #pump(): void {
    this.#stopTimer()
    const now = this.#clock.monotonic()
    if (this.#until < now - SLACK_MS) this.#restart(now)
    this.#speech.passMarks()
    while (this.#until <= now + this.#leadMs) {
      this.#sendFrame()
      this.#speech.passMarks()
    }
    this.#stopTimer = this.#clock.after(this.#until - this.#leadMs - now, () => this.#pump())
  }

  /** The line stood still. */
  #restart(now: number): void {
    this.#position += Math.round(((now - this.#until) * PHONE_RATE) / 1000)
    this.#until = now
  }

  #sendFrame(): void {
    const bytes = this.#nextBytes()
    this.#wire.frame(bytes, this.#position)
    this.#position += FRAME_BYTES
    this.#until += FRAME_MS
  }

  #nextBytes(): Uint8Array {
    const next = this.#speech.next()
    if (next === undefined && this.#isFlushed) return this.#noise.coded(FRAME_BYTES)
    this.#isFlushed = next === undefined
    if (next) {
      this.#sentMs += next.speech / SAMPLES_PER_MS
      this.#spokenUntil = this.#until + FRAME_MS
    }
    const samples = this.#toPhone.process(next?.samples ?? SILENCE)
    this.#noise.addTo(samples)
    return encodeMuLaw(samples)
  }

  #sent(name: string, mark: Mark): void {
    mark.sentMs = this.#sentMs
    if (this.#wire.mark) this.#wire.mark(name)
    else
      mark.callOff = this.#clock.after(Math.max(0, this.#spokenUntil - this.#clock.monotonic()), () =>
        this.reached(name),
      )
  }

  /** The first words after silence do not wait for the noise that runs ahead, nor for what a slow connection has left there. */
  #skipNoise(): void {
    const now = this.#clock.monotonic()
    if (!this.#isOpen || !this.#wire.clear || this.#marks.size > 0) return
    if (now < this.#spokenUntil + SETTLED_MS) return
    this.#wire.clear()
    this.#until = now
  }

  /** After a cut: once the fade should have been heard, drops what the far end holds beyond it. */
  #clearStale(): void {
    this.#stopStale()
    if (!this.#wire.clear) return
    const waitMs = this.#until + FRAME_MS - this.#clock.monotonic() + STALE_MS
    this.#stopStale = this.#clock.after(waitMs, () => {
      this.#wire.clear?.()
      this.#until = this.#clock.monotonic()
      this.#pump()
    })
  }

  #dropMarks(): void {
    for (const mark of this.#marks.values()) {
      mark.callOff()
      mark.settle('cleared')
    }
    this.#marks.clear()
  }
}
