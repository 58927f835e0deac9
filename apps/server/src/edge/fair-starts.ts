import { placeOf } from '@heyline/call-desk/client-address'

/** So many requests begin before this process looks at its connections, its timers and the database again. */
const MOST_AT_ONCE = 8

/**
 * Lets the requests of all networks (a /24, or a /48 of IPv6) begin in turn, one of each at a time. What a request costs before its first
 * wait, it costs everybody: whoever sends hundreds at once waits behind himself, and others come next. Nothing is refused or held here.
 */
export class FairStarts {
  /** What waits, by network; the network whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #isDue = false

  /** Calls `start` in the turn of this address. */
  run(address: string | undefined, start: () => void): void {
    const { network } = placeOf(address ?? '')
    const own = this.#waiting.get(network)
    if (own) own.push(start)
    else this.#waiting.set(network, [start])
    this.#comeBack()
  }

  #comeBack(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#begin()
    })
  }

  #begin(): void {
    for (let begun = 0; begun < MOST_AT_ONCE; begun++) {
      const [next] = this.#waiting
      if (!next) return
      const [network, own] = next
      const start = own.shift()
      this.#waiting.delete(network)
      if (own.length > 0) this.#waiting.set(network, own)
      start?.()
    }
    if (this.#waiting.size > 0) this.#comeBack()
  }
}
