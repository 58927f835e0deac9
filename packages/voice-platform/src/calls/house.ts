import { ApiError } from '../resources/api-error.js'
import type { StoredCallType } from './call-row.js'

/** When somebody who found the house full may try again, in seconds. */
const RETRY_AFTER_SECONDS = 15

const FULL = 'Too many calls are going on. Try again in a moment.'
/** What a client is told whom another process may take. */
export const FULL_HERE = 'This server is full. Try again: another one may have room.'
const SHUT = 'This server is about to stop, and takes no new calls. Try again in a moment.'
/** Calls of this process: those that it holds, and how many more it takes (infinite without a limit). */
export interface HouseFigures {
  held: number
  room: number
  /** How many more phone calls it takes; none while its carrier can place none. */
  phoneRoom: number
}

/** Counts this process's calls. One more than it can serve well would make all of them wait. */
export class House {
  readonly #most: number
  readonly #calls = new Map<string, StoredCallType>()
  #isShut = false

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  /** From now on every call is one too many. */
  shut(): void {
    this.#isShut = true
  }

  /**
   * Throws an `ApiError` where one more call is too many: 503 for a web call, 429 for a phone call. Only phone calls stand in a phone
   * call's way, as strangers start the others.
   */
  refuseIfFull(type: StoredCallType): void {
    const others = type === 'webCall' ? this.#calls.size : this.#phoneCalls
    if (this.#isShut || others >= this.#most) throw this.refusal(type)
  }

  /** What whoever is one too many is told. */
  refusal(type: StoredCallType): ApiError {
    const text = this.#isShut ? SHUT : FULL
    return new ApiError(type === 'webCall' ? 503 : 429, text, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  /** How many calls it holds, and how many more it takes: of web calls, for which all others count. */
  get figures(): HouseFigures {
    const held = this.#calls.size
    const room = (taken: number) => (this.#isShut ? 0 : Math.max(0, this.#most - taken))
    return { held, room: room(held), phoneRoom: room(this.#phoneCalls) }
  }

  /** It is about to stop. */
  get isShut(): boolean {
    return this.#isShut
  }

  get most(): number {
    return this.#most
  }

  get callIds(): string[] {
    return [...this.#calls.keys()]
  }

  /** This call was counted here, and may come in however full it is. */
  has(callId: string): boolean {
    return this.#calls.has(callId)
  }

  /** This call is in the house until it leaves. Idempotent, as `leave` is. */
  enter(callId: string, type: StoredCallType): void {
    this.#calls.set(callId, type)
  }

  leave(callId: string): void {
    this.#calls.delete(callId)
  }

  get #phoneCalls(): number {
    return [...this.#calls.values()].filter((type) => type !== 'webCall').length
  }
}
