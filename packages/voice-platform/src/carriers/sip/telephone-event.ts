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

/** How long a key of ours is down, in samples: 100 ms, twice the least of ITU-T Q.24. */
const DOWN = 800
/** How often the end of a key is sent: any packet may be lost (RFC 4733 2.5.1.4). */
const ENDS = 3
/** Loudness of the tone that the other side may make of a key: -10 dBm0. */
const VOLUME = 10
const END = 0x80

/** Time that a key takes on the line, in milliseconds: its packets, and a pause before the next one. */
export const KEY_MS = 160

/** One key of ours on the line: a packet for each 20 ms while it is down, and three that it is up. */
export class PressedKey {
  /** Where it began, in samples of the stream. All its packets have this as their time. */
  readonly start: number
  readonly #event: number
  #duration = 0
  #ends = 0

  constructor(key: string, start: number) {
    this.start = start
    this.#event = KEYS.indexOf(key)
  }

  get isOver(): boolean {
    return this.#ends === ENDS
  }

  /** The payload of the packet for the time up to here. */
  next(until: number): Uint8Array {
    if (this.#duration < DOWN) this.#duration = Math.min(until - this.start, 0xffff)
    const isUp = this.#duration >= DOWN
    if (isUp) this.#ends += 1
    return Uint8Array.of(this.#event, (isUp ? END : 0) | VOLUME, this.#duration >> 8, this.#duration & 0xff)
  }
}
