const MINUTE_MS = 60_000

/** Counts how often each of any number of clients, or other names, comes in a minute. All counts begin again together, so none outlives its minute. */
export class Rate {
  readonly #mostPerMinute: number
  readonly #clock: () => number
  readonly #counts = new Map<string, number>()
  #since: number

  constructor(mostPerMinute: number, clock: () => number = () => performance.now()) {
    this.#mostPerMinute = mostPerMinute
    this.#clock = clock
    this.#since = clock()
  }

  /** Counts one more; false where that is too many. Clients that nobody can tell apart (`undefined`) are not counted. */
  count(client: string | undefined): boolean {
    if (client === undefined) return true
    const now = this.#clock()
    if (now - this.#since >= MINUTE_MS) {
      this.#counts.clear()
      this.#since = now
    }
    const count = (this.#counts.get(client) ?? 0) + 1
    if (count > this.#mostPerMinute) return false
    this.#counts.set(client, count)
    return true
  }
}
