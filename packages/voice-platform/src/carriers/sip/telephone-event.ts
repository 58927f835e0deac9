/** Keys by their event numbers (RFC 4733 3.2). */
const KEYS = '0123456789*#ABCD'

/**
 * The keys of a phone as telephone-events (RFC 4733). Each key comes in many packets, of which any may be lost: they share a
 * timestamp, and the key counts once.
 */
export class TelephoneEvents {
  readonly #press: (key: string) => void
  #last: number | undefined

  constructor(press: (key: string) => void) {
    this.#press = press
  }

  /** The payload of a packet. `timestamp` must not wrap. What is no key of a phone is passed over. */
  receive(payload: Uint8Array, timestamp: number): void {
    const [event] = payload
    if (payload.length < 4 || event === undefined || (this.#last !== undefined && timestamp <= this.#last))
      return
    const key = KEYS[event]
    if (key === undefined) return
    this.#last = timestamp
    this.#press(key)
  }
}
