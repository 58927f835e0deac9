import type { Clock } from '@heyline/kit/clock'
import type { SessionMessage } from '../session/session.js'

/** Least time between two writes of a conversation, in milliseconds. */
const INTERVAL_MS = 1_000
/** Most characters that are written each second. A conversation is written whole, so a long one is written less often. */
const CHARACTERS_A_SECOND = 50_000

export interface RunningRecordOptions {
  /** What was said so far. */
  messages(): SessionMessage[]
  write(messages: SessionMessage[]): Promise<unknown>
  /** Called once for failures in a row. The next write follows anyway. */
  onFailed(error: unknown): void
  clock: Clock
}

/**
 * Stores what was said while a conversation goes on. A killed process then loses only the line being spoken and what was said since
 * the last write (1–20 s).
 */
export class RunningRecord {
  readonly #options: RunningRecordOptions
  #written = ''
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
    const messages = this.#options.messages()
    const state = stateOf(messages)
    if (state === this.#written) return this.#schedule(INTERVAL_MS)
    try {
      await this.#options.write(messages)
      this.#written = state
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing && !this.#isClosed) this.#options.onFailed(error)
      this.#isFailing = true
    }
    const characters = messages.reduce((sum, { message }) => sum + message.length, 0)
    this.#schedule(Math.max(INTERVAL_MS, (characters / CHARACTERS_A_SECOND) * 1000))
  }
}

/** Differs after every added line. Lines are only added, mostly at the end, and never change. */
function stateOf(messages: readonly SessionMessage[]): string {
  const last = messages.at(-1)
  return last ? `${messages.length} ${last.time} ${last.message.length}` : ''
}
