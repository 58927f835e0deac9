import type { Clock } from '@heyline/kit/clock'
import { Budget } from '../../work/budget.js'

/** Messages that are read: of each address with which we have a call, and of all others together. */
const OF_A_PEER = { perSecond: 100, atOnce: 200 }
const OF_STRANGERS = { perSecond: 20, atOnce: 40 }

/** The addresses with which we have something to do, and what is read of them and of all others. */
export class SipPeers {
  readonly #clock: Clock
  readonly #known = new Map<string, { uses: number; budget: Budget }>()
  readonly #strangers: Budget

  constructor(clock: Clock) {
    this.#clock = clock
    this.#strangers = new Budget(clock, OF_STRANGERS)
  }

  has(address: string): boolean {
    return this.#known.has(address)
  }

  /** Counts messages of this address as those of a peer, until the returned function is called. */
  know(address: string): () => void {
    const known = this.#known.get(address) ?? { uses: 0, budget: new Budget(this.#clock, OF_A_PEER) }
    known.uses += 1
    this.#known.set(address, known)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      known.uses -= 1
      if (known.uses === 0) this.#known.delete(address)
    }
  }

  /** Whether one more message of this address is read. It then counts. */
  spend(address: string): boolean {
    return (this.#known.get(address)?.budget ?? this.#strangers).spend()
  }
}
