import { LookupLine } from './lookup-line.js'

/** Lets so many lookups of one client run at once, and none wait for another client's: a flood waits behind itself. */
export class LookupsAtOnce {
  readonly #most: number
  readonly #lines = new Map<string, LookupLine>()

  constructor(most: number) {
    this.#most = most
  }

  /** Runs a lookup in the client's turn. Rejects with the signal's reason when it is aborted while it waits. */
  async run<Found>(key: string, look: () => Promise<Found>, signal?: AbortSignal): Promise<Found> {
    const line = this.#lines.get(key) ?? new LookupLine(() => this.#most)
    this.#lines.set(key, line)
    try {
      return await line.run(look, signal)
    } finally {
      if (line.isEmpty) this.#lines.delete(key)
    }
  }
}
