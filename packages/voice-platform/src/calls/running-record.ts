import type { Clock } from '@heyline/kit/clock'
import type { SessionMessage } from '../session/session.js'

/** Least time between two writes of a conversation, in milliseconds. */
const INTERVAL_MS = 1_000
/** A long conversation is written whole each time, so it is written more seldom: no more than this a second. */
const CHARACTERS_A_SECOND = 50_000

export interface RunningRecordOptions {
  /** What has been said so far. */
  messages(): SessionMessage[]
  write(messages: SessionMessage[]): Promise<unknown>
  /** Hears of the first of failures in a row; it is written again all the same. */
  onFailed(error: unknown): void
  clock: Clock
}

/** Keeps what was said in a conversation while it goes on, so that of a process that is killed all is kept but the line being spoken and what was not written yet (1–20 s). */
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

  /** Writes no more: the whole record follows. */
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

/** Changes with every line that comes: lines are only added, mostly at the end, and never change. */
function stateOf(messages: readonly SessionMessage[]): string {
  const last = messages.at(-1)
  return last ? `${messages.length} ${last.time} ${last.message.length}` : ''
}
