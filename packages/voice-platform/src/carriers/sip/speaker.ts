import type { Clock } from '@heyline/kit/clock'
import type { Peer } from './sip-socket.js'

/**
 * After so much silence of the speaker another may take its place, in milliseconds: from the same address and port soon, as when the call was
 * sent on inside an office, and from elsewhere when the speaker has surely gone.
 */
const HANDOVER_MS = { samePort: 100, otherPort: 1_500 }

/**
 * Whose audio is heard, of all who send to our port: one sender, by its address, port and source. Whoever sends more, or faster, is not heard
 * for that.
 */
export class Speaker {
  readonly #clock: Clock
  #from: Peer | undefined
  #source: number | undefined
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Whether a packet is of the speaker, or of one who takes its place. `named` is where the phone said that its audio is: from there it takes its
   * place back at once.
   */
  hears(source: number, from: Peer, named: Peer): boolean {
    const now = this.#clock.monotonic()
    const isSamePort = this.#from !== undefined && isSame(from, this.#from)
    if (!isSamePort || source !== this.#source) {
      const isBack = !isSamePort && isSame(from, named)
      const waitMs = isSamePort ? HANDOVER_MS.samePort : HANDOVER_MS.otherPort
      if (!isBack && now - this.#lastAt < waitMs) return false
      this.#from = from
      this.#source = source
    }
    this.#lastAt = now
    return true
  }

  /** The phone has said that its audio is elsewhere now: whoever comes next has the place. */
  forget(): void {
    this.#from = undefined
    this.#lastAt = Number.NEGATIVE_INFINITY
  }
}

const isSame = (one: Peer, other: Peer): boolean => one.address === other.address && one.port === other.port
