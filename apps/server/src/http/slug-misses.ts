import { setImmediate as pause } from 'node:timers/promises'
import { readClientAddress } from '@heyline/call-desk'
import { type Clock, systemClock } from '@heyline/kit/clock'

export interface SlugMissesOptions {
  /** So many lookups of one address may find no visitor within this time; then its lookups wait. */
  limit: { most: number; windowMs: number }
  /** So many lookups of one address run at once; the others take their turn. No such limit where it is left out. */
  atOnce?: number | undefined
  clock?: Clock
}

/** The first wait beyond the limit, in ms; each further miss doubles it. */
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000
/** So many lookups of one address wait at once; the next one is refused. */
const MOST_WAITING = 4
/** So many addresses are remembered: those that missed last. */
const MOST_ADDRESSES = 50_000

/** What is known of one address. */
interface Guesser {
  /** Misses that still count: one is forgiven after each part of the limit's time. */
  misses: number
  /** When they were counted. */
  at: number
  /** Lookups that are under way: each may be a miss. */
  pending: number
  /** Lets the lookups begin that wait for the end of another one, in their order. */
  next: { begin: () => void; isGuess: boolean }[]
  /** Those of them that are about to begin. */
  called: number
  waiting: number
  /** When the last of the waiting lookups begins. */
  lastTurn: number
}

/**
 * Slows those down who guess slugs. Past the limit each lookup waits its turn before it begins, whatever it would find: who waited only
 * for a miss could tell it by the time. An address knows nothing of the others'. Lookups that would be too many only if all that are under
 * way missed wait for the end of one: a whole office that opens its page at the same moment is not refused.
 */
export class SlugMisses {
  readonly #most: number
  readonly #forgivenMs: number
  readonly #atOnce: number
  readonly #clock: Clock
  readonly #guessers = new Map<string, Guesser>()

  constructor({ limit, atOnce = Number.POSITIVE_INFINITY, clock = systemClock }: SlugMissesOptions) {
    this.#most = limit.most
    this.#atOnce = atOnce
    this.#forgivenMs = limit.windowMs / limit.most
    this.#clock = clock
  }

  /**
   * Looks a slug up for an address, in its turn. Resolves with `retryAfterMs` where too many of its lookups wait already. Rejects when the
   * signal is aborted while it waits. One that guesses nothing counts as no miss, and waits for no misses: only where too many run.
   */
  async look<Found>(
    address: string,
    look: () => Promise<{ found: Found; isMiss: boolean }>,
    signal?: AbortSignal,
    isGuess = true,
  ): Promise<{ found: Found } | { retryAfterMs: number }> {
    const key = readClientAddress(address)?.address ?? address
    const guesser = this.#guesser(key)
    let hasWaited = false
    while (!this.#mayBegin(guesser, isGuess)) {
      hasWaited = true
      await this.#called(guesser, isGuess, signal)
      guesser.called--
      this.#forgive(guesser)
    }
    try {
      // Lookups that follow on each other at once would let nothing else happen until all of a flood are answered.
      const lookLater = async () => await pause().then(look)
      const looked = this.#lookNow(key, guesser, hasWaited ? lookLater : look, signal, isGuess)
      // One that waits for its misses ends late, and one that is refused has ended already.
      this.#callNext(guesser)
      return await looked
    } finally {
      this.#callNext(guesser)
      const { misses, pending, called, next } = guesser
      if (misses === 0 && pending + called + next.length === 0) this.#guessers.delete(key)
    }
  }

  async #lookNow<Found>(
    key: string,
    guesser: Guesser,
    look: () => Promise<{ found: Found; isMiss: boolean }>,
    signal: AbortSignal | undefined,
    isGuess: boolean,
  ): Promise<{ found: Found } | { retryAfterMs: number }> {
    const now = this.#clock.now()
    const waitMs = isGuess ? this.#waitMs(guesser) : 0
    const turn = Math.max(now, guesser.lastTurn) + waitMs
    if (waitMs > 0 && guesser.waiting >= MOST_WAITING) return { retryAfterMs: turn - now }
    guesser.pending++
    try {
      if (waitMs > 0) {
        guesser.lastTurn = turn
        await this.#wait(guesser, turn - now, signal)
      }
      const { found, isMiss } = await look()
      if (isMiss && isGuess) this.#miss(key, guesser)
      return { found }
    } finally {
      guesser.pending--
    }
  }

  /** Whether a lookup need not wait for the end of another. Past the limit a guess has a wait of its own. */
  #mayBegin({ misses, pending, called }: Guesser, isGuess: boolean): boolean {
    if (!isGuess) return pending + called < this.#atOnce
    const left = this.#most - Math.ceil(misses)
    return left <= 0 || pending + called < Math.min(left, this.#atOnce)
  }

  /** Resolves when this lookup is called: another one has ended. */
  #called(guesser: Guesser, isGuess: boolean, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        guesser.next = guesser.next.filter((each) => each.begin !== begin)
        reject(signal?.reason)
      }
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      guesser.next.push({ begin, isGuess })
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted) leave()
    })
  }

  #callNext(guesser: Guesser): void {
    const [next] = guesser.next
    if (!next || !this.#mayBegin(guesser, next.isGuess)) return
    guesser.next.shift()
    guesser.called++
    next.begin()
  }

  #guesser(key: string): Guesser {
    const now = this.#clock.now()
    const known = this.#guessers.get(key)
    const guesser = known ?? { misses: 0, at: now, pending: 0, next: [], called: 0, waiting: 0, lastTurn: 0 }
    this.#forgive(guesser)
    if (!known) this.#guessers.set(key, guesser)
    return guesser
  }

  #forgive(guesser: Guesser): void {
    const now = this.#clock.now()
    guesser.misses = Math.max(0, guesser.misses - (now - guesser.at) / this.#forgivenMs)
    guesser.at = now
  }

  #waitMs({ misses, pending }: Guesser): number {
    // What is forgiven only in part still counts.
    const beyond = Math.ceil(misses) + pending - this.#most
    return beyond < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** beyond, LONGEST_WAIT_MS)
  }

  /** The one that missed last stands last, so that the first ones are those to forget. */
  #miss(key: string, guesser: Guesser): void {
    guesser.misses++
    this.#guessers.delete(key)
    this.#guessers.set(key, guesser)
    if (this.#guessers.size <= MOST_ADDRESSES) return
    const [oldest] = this.#guessers.keys()
    if (oldest !== undefined) this.#guessers.delete(oldest)
  }

  #wait(guesser: Guesser, ms: number, signal?: AbortSignal): Promise<void> {
    guesser.waiting++
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        cancel()
        reject(signal?.reason)
      }
      const cancel = this.#clock.after(ms, () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      })
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted) leave()
    }).finally(() => guesser.waiting--)
  }
}
