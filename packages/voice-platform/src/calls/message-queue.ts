import { Lanes } from '../work/lanes.js'

/** Most messages that wait in one queue, and most bytes of them. Each holds a whole call in memory. */
const MOST_MESSAGES = 1_000
const MOST_BYTES = 16_000_000

/** Server messages that wait for their turn: those of a call in order, those of different calls side by side. */
export class MessageQueue {
  readonly #lanes = new Lanes()
  #messages = 0
  #bytes = 0
  #isFull = false

  /** Messages that wait or are on their way. */
  get length(): number {
    return this.#messages
  }

  /** False where no more of this size may wait. */
  hasRoom(bytes: number): boolean {
    return this.#messages < MOST_MESSAGES && this.#bytes + bytes <= MOST_BYTES
  }

  /** Sends a message of this size after those of the same call. `send` never rejects. */
  add(callId: string, bytes: number, send: () => Promise<void>): void {
    this.#messages += 1
    this.#bytes += bytes
    void this.#lanes.run(callId, async () => {
      await send()
      this.#messages -= 1
      this.#bytes -= bytes
      if (this.#messages === 0) this.#isFull = false
    })
  }

  /** A message was dropped. True for the first one since the queue was empty. */
  drop(): boolean {
    const isFirst = !this.#isFull
    this.#isFull = true
    return isFirst
  }

  /** Resolves when it is empty. */
  idle(): Promise<void> {
    return this.#lanes.idle()
  }
}
