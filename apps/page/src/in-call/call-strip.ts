import { Store } from '@heyline/kit/store'
import type { Clock, TranscriptLine } from '@heyline/web-call'

/** The strip as it is shown; its fast-moving level is a store of its own. */
export interface CallStripState {
  /** Whole seconds since the call started. */
  seconds: number
  muted: boolean
  /** False while the line is lost and the room tries to come back. */
  connected: boolean
  /** Whether the transcript is shown. */
  open: boolean
  /** What was said, in the order in which it began; a line keeps its place. */
  lines: readonly TranscriptLine[]
}

/** The microphone of the call; `setMuted` throws when there is no call. */
export interface Microphone {
  setMuted(muted: boolean): void
  isMuted(): boolean
}

/** Loudness of the assistant, 0 to 1, ten times a second. */
export class Level extends Store<number> {
  constructor() {
    super(0)
  }

  measure(level: number): void {
    this.set(level)
  }
}

const SECOND_MS = 1_000
const NO_CALL: CallStripState = { seconds: 0, muted: false, connected: true, open: false, lines: [] }

/** Follows one call after another: timer, mute, level and transcript. What was said is forgotten with the call. */
export class CallStrip extends Store<CallStripState> {
  readonly level = new Level()
  readonly #microphone: Microphone
  readonly #clock: Clock
  #startedAt = 0
  #cancelTick: (() => void) | undefined

  constructor(microphone: Microphone, clock: Clock) {
    super(NO_CALL)
    this.#microphone = microphone
    this.#clock = clock
  }

  /** The call has started. */
  begin(): void {
    this.end()
    this.#startedAt = this.#clock.now()
    this.set({ ...NO_CALL, muted: this.#microphone.isMuted() })
    this.#awaitSecond()
  }

  /** The call is over. */
  end(): void {
    this.#cancelTick?.()
    this.#cancelTick = undefined
    this.level.measure(0)
    this.set(NO_CALL)
  }

  /** A line of the transcript that is new, or has other words than before. */
  hear(line: TranscriptLine): void {
    const { lines } = this.get()
    const index = lines.findIndex(({ id }) => id === line.id)
    this.set({ ...this.get(), lines: index === -1 ? [...lines, line] : lines.with(index, line) })
  }

  /** The line was lost, or is back. */
  connect(connected: boolean): void {
    this.set({ ...this.get(), connected })
  }

  /** The mute button. Shows what became of the microphone; in a call that is just over, nothing. */
  toggleMute(): void {
    try {
      this.#microphone.setMuted(!this.get().muted)
    } catch (error) {
      console.debug('There is no call to mute any more.', error)
    }
    this.set({ ...this.get(), muted: this.#microphone.isMuted() })
  }

  /** The transcript's button. */
  toggleTranscript(): void {
    this.set({ ...this.get(), open: !this.get().open })
  }

  /** From the clock and not by counting: a tab in the background is woken late. */
  #awaitSecond(): void {
    const elapsed = Math.max(0, this.#clock.now() - this.#startedAt)
    this.#cancelTick = this.#clock.after(SECOND_MS - (elapsed % SECOND_MS), () => {
      const seconds = Math.floor((this.#clock.now() - this.#startedAt) / SECOND_MS)
      this.set({ ...this.get(), seconds })
      this.#awaitSecond()
    })
  }
}
