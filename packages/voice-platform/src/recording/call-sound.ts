import type { Clock } from '@heyline/kit/clock'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { MarkOutcome } from '../link/link.js'

const SAMPLES_PER_MS = SAMPLE_RATE / 1000
/** How long sound is held back, in milliseconds: a client tells within that time what it played of speech that was cut. */
const HELD_BACK_MS = 1_000
/** The caller's sound may come so much late before the gap counts as silence, or early before quiet frames are left out, in milliseconds. */
const SLACK_MS = 200
/** … and so much early before it is left out even if it is loud. */
const MOST_EARLY_MS = 2_000
/** A frame whose samples are all smaller is quiet. */
const QUIET = 300

/** Sound that stands at a place of the call. Places are samples since the call began. */
interface Piece {
  at: number
  samples: Int16Array
}

/**
 * The sound of a call as both sides had it, on one line of time: what the caller says where it came, and the assistant's speech where it
 * was heard. Speech that was cut ends where the link says that playback stood. Taking in is a copy and nothing else.
 */
export class CallSound {
  readonly #clock: Clock
  readonly #startedAt: number
  readonly #caller: Piece[] = []
  readonly #assistant: Piece[] = []
  #callerEnd = 0
  #assistantEnd = 0
  /** Up to here it was taken out. */
  #taken = 0
  /** The last mark that was reached. */
  #reached = 0
  /** Where the speech that is heard began: after a pause, or after a cut. */
  #begun: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.#startedAt = clock.monotonic()
  }

  /** Sound of the caller, which ends now. */
  caller(samples: Int16Array): void {
    const now = this.#now
    const earlyMs = (this.#callerEnd + samples.length - now) / SAMPLES_PER_MS
    if (earlyMs > MOST_EARLY_MS || (earlyMs > SLACK_MS && isQuiet(samples))) return
    const begun = now - samples.length
    const isLate = begun - this.#callerEnd > SLACK_MS * SAMPLES_PER_MS
    const at = Math.max(this.#taken, isLate ? begun : this.#callerEnd)
    this.#caller.push({ at, samples: samples.slice() })
    this.#callerEnd = at + samples.length
  }

  /** Speech that was sent, and is heard after all that was sent before. */
  sent(samples: Int16Array): void {
    const at = Math.max(this.#assistantEnd, this.#now)
    if (at > this.#assistantEnd) this.#begun = undefined
    this.#begun ??= at
    this.#assistant.push({ at, samples: samples.slice() })
    this.#assistantEnd = at + samples.length
  }

  /** A mark stands behind all that was sent. Gets what became of it. */
  marked(): (outcome: MarkOutcome) => void {
    const at = this.#assistantEnd
    return (outcome) => {
      if (outcome === 'played') this.#reached = Math.max(this.#reached, at)
    }
  }

  /** Speech that is not yet heard is dropped. Gets how many milliseconds were heard since the last mark that was reached. */
  cleared(): (playedMs: number) => void {
    const before = this.#assistantEnd
    const cut = Math.min(before, this.#now)
    this.#cut(cut, before)
    const begun = this.#begun ?? cut
    this.#begun = undefined
    return (playedMs) => {
      const told = Math.max(this.#reached, begun) + playedMs * SAMPLES_PER_MS
      // A transport that can't tell says 0; what follows the cut stays.
      if (playedMs > 0 && told < cut) this.#cut(told, cut)
    }
  }

  /** What is settled by now: both channels in turn, the caller's first. Empty where nothing new is. */
  settled(): Int16Array {
    return this.#take(this.#now - HELD_BACK_MS * SAMPLES_PER_MS)
  }

  /** The rest, up to now. */
  rest(): Int16Array {
    return this.#take(this.#now)
  }

  get #now(): number {
    return Math.floor((this.#clock.monotonic() - this.#startedAt) * SAMPLES_PER_MS)
  }

  /** Silences the assistant from one place to another. */
  #cut(from: number, to: number): void {
    const start = Math.max(this.#taken, Math.floor(from))
    for (const [index, { at, samples }] of this.#assistant.entries()) {
      if (at >= to || at + samples.length <= start) continue
      this.#assistant[index] = { at, samples: samples.subarray(0, Math.max(0, start - at)) }
    }
    if (this.#assistantEnd === to) this.#assistantEnd = Math.max(start, 0)
  }

  #take(until: number): Int16Array {
    const length = until - this.#taken
    if (length <= 0) return new Int16Array(0)
    const both = new Int16Array(length * 2)
    this.#write(this.#caller, both, 0, until)
    this.#write(this.#assistant, both, 1, until)
    this.#taken = until
    return both
  }

  #write(pieces: Piece[], both: Int16Array, channel: 0 | 1, until: number): void {
    const from = this.#taken
    for (const { at, samples } of pieces) {
      const end = Math.min(until, at + samples.length)
      for (let place = Math.max(from, at); place < end; place += 1)
        both[(place - from) * 2 + channel] = samples[place - at] ?? 0
    }
    const over = pieces.findIndex(({ at, samples }) => at + samples.length > until)
    pieces.splice(0, over === -1 ? pieces.length : over)
  }
}

const isQuiet = (samples: Int16Array): boolean => samples.every((sample) => sample < QUIET && sample > -QUIET)
