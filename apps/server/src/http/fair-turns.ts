import { placeOf } from '@heyline/call-desk/client-address'

/** So many requests go on before this process looks at its connections, its timers and the database again. */
const MOST_AT_ONCE = 8

/**
 * Lets the requests of all networks (a /24, or a /48 of IPv6) go on in turn, one of each at a time. What a request costs between two waits, it
 * costs everybody: whoever sends hundreds at once, or gives them up, waits behind himself, and others come next. Nothing is refused here.
 */
export class FairTurns {
  /** What waits, by network; the network whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #isDue = false

  /** Calls `goOn` in the turn of this address. */
  run(address: string | undefined, goOn: () => void): void {
    const { network } = placeOf(address ?? '')
    const own = this.#waiting.get(network)
    if (own) own.push(goOn)
    else this.#waiting.set(network, [goOn])
    this.#comeBack()
  }

  #comeBack(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#goOn()
    })
  }

  #goOn(): void {
    for (let gone = 0; gone < MOST_AT_ONCE; gone++) {
      const [next] = this.#waiting
      if (!next) return
      const [network, own] = next
      const goOn = own.shift()
      this.#waiting.delete(network)
      if (own.length > 0) this.#waiting.set(network, own)
      goOn?.()
    }
    if (this.#waiting.size > 0) this.#comeBack()
  }
}
