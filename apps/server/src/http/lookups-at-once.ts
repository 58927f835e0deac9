import { type LookOptions, LookupLine } from './lookup-line.js'

/** Lets so many lookups of one client run at once, and none wait for another client's: a flood waits behind itself. */
export class LookupsAtOnce {
  readonly #most: number
  readonly #lines = new Map<string, LookupLine>()

  constructor(most: number) {
    this.#most = most
  }

  /** Runs a lookup in the client's turn. Rejects with the signal's reason when it is aborted while it waits. Its place goes back when its work has ended. */
  async run<Found>(key: string, look: () => Promise<Found>, options: LookOptions = {}): Promise<Found> {
    const line = this.#lines.get(key) ?? new LookupLine(() => this.#most)
    this.#lines.set(key, line)
    try {
      return await line.run(look, options)
    } finally {
      const goesOn = options.unfinished?.()
      if (goesOn) void goesOn.then(() => this.#forget(key, line))
      else this.#forget(key, line)
    }
  }

  #forget(key: string, line: LookupLine): void {
    if (line.isEmpty && this.#lines.get(key) === line) this.#lines.delete(key)
  }
}
