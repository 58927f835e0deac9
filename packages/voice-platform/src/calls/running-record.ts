import type { Clock } from '@heyline/kit/clock'
import type { SessionMessage } from '../session/session.js'
import { type LineChange, lineChange, type StoredLine } from './line-change.js'

/** Least time between two writes of a conversation, in milliseconds. */
const INTERVAL_MS = 1_000
/** Most characters that are written each second: after many at once the next write waits. */
const CHARACTERS_A_SECOND = 50_000

export interface RunningRecordOptions {
  /** What was said so far. */
  messages(): SessionMessage[]
  /** May be asked again for what was written, where an answer was lost. */
  write(change: LineChange): Promise<unknown>
  /** Called once for failures in a row. The next write follows anyway. */
  onFailed(error: unknown): void
  clock: Clock
}

/**
 * Stores what was said while a conversation goes on, each line once. A killed process then loses only the line being spoken and what was
 * said since the last write (1.25 s with what that waits for others, and up to 20 s after very long lines).
 */
export class RunningRecord {
  readonly #options: RunningRecordOptions
  #stored: readonly StoredLine[] = []
  #isFailing = false
  #isClosed = false
  #stop = () => {}

  constructor(options: RunningRecordOptions) {
    this.#options = options
    this.#schedule(INTERVAL_MS)
  }

  /** Ends the writes: the whole record follows. */
  close(): void {
    this.#isClosed = true
    this.#stop()
  }

  #schedule(ms: number): void {
    if (!this.#isClosed) this.#stop = this.#options.clock.after(ms, () => void this.#look())
  }

  async #look(): Promise<void> {
    const began = this.#options.clock.monotonic()
    const next = lineChange(this.#stored, this.#options.messages())
    if (!next) return this.#schedule(INTERVAL_MS)
    try {
      await this.#options.write(next.change)
      this.#stored = next.stored
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing && !this.#isClosed) this.#options.onFailed(error)
      this.#isFailing = true
    }
    const characters = next.change.lines.reduce((sum, { message }) => sum + message.length, 0)
    const apart = Math.max(INTERVAL_MS, (characters / CHARACTERS_A_SECOND) * 1000)
    // From look to look: conversations whose lines were written together are not looked at together.
    this.#schedule(Math.max(0, began + apart - this.#options.clock.monotonic()))
  }
}
