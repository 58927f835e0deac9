import { RecordsError } from '@heyline/call-desk'
import type { Operator } from '../access/operator-access.js'

/** Streams of one operator, and of all: each browser window has one. */
const MOST_OF_OPERATOR = 10
const MOST = 500

/** Who follows something. */
export interface Follower {
  /** Undefined for the secret key. */
  operator: Pick<Operator, 'userId'> | undefined
  /** Aborted when the client goes away. */
  left: AbortSignal
}

/** Counts the streams that are open. */
export class Streams {
  readonly #open = new Map<string, number>()
  readonly #refusal: string
  #all = 0

  /** `refusal`: what is said where there are too many. */
  constructor(refusal: string) {
    this.#refusal = refusal
  }

  /** Throws a `RecordsError`, `too_many_streams`. */
  open<Part>(
    { operator }: Pick<Follower, 'operator'>,
    follow: () => AsyncIterable<Part>,
  ): AsyncIterable<Part> {
    const who = operator?.userId ?? 'secret key'
    if ((this.#open.get(who) ?? 0) >= MOST_OF_OPERATOR || this.#all >= MOST)
      throw new RecordsError('too_many_streams', this.#refusal)
    return this.#counted(who, follow)
  }

  async *#counted<Part>(who: string, follow: () => AsyncIterable<Part>): AsyncGenerator<Part> {
    this.#open.set(who, (this.#open.get(who) ?? 0) + 1)
    this.#all += 1
    try {
      yield* follow()
    } finally {
      const rest = (this.#open.get(who) ?? 1) - 1
      if (rest > 0) this.#open.set(who, rest)
      else this.#open.delete(who)
      this.#all -= 1
    }
  }
}
