import { type Clock, systemClock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'
import { LookupLine } from './lookup-line.js'

export interface SlugMissesOptions {
  /** So many lookups of one address may find no visitor within this time; then its lookups wait. */
  limit: { most: number; windowMs: number }
  clock?: Clock
}

/** The first wait beyond the limit, in ms; each further miss doubles it. */
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000
/** So many lookups of one address wait at once; the next one is refused. */
const MOST_WAITING = 4
/** So many addresses are remembered: those that missed last. */
const MOST_ADDRESSES = 50_000

export interface MissesLookOptions {
  /** Aborted when nobody waits any more. */
  signal?: AbortSignal | undefined
  /** False: a lookup that would have to wait for misses is refused. */
  isPatient?: boolean | undefined
}

/** What is known of one address. */
interface Guesser {
  /** Misses that still count: one is forgiven after each part of the limit's time. */
  misses: number
  /** When they were counted. */
  at: number
  /** Lookups that are under way: each may be a miss. */
  pending: number
  /** No more are under way than might miss within the limit. */
  line: LookupLine
  /** When each of the waiting lookups begins. */
  turns: Set<number>
  /** When the last one began that had waited. */
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
  readonly #clock: Clock
  readonly #guessers = new RecentMap<string, Guesser>(MOST_ADDRESSES)

  constructor({ limit, clock = systemClock }: SlugMissesOptions) {
    this.#most = limit.most
    this.#forgivenMs = limit.windowMs / limit.most
    this.#clock = clock
  }

  /**
   * Looks a slug up for the client of this key, in its turn. Resolves with `retryAfterMs` where too many of its lookups wait already, or it
   * is not to wait. Rejects when the signal is aborted while it waits.
   */
  async look<Found>(
    key: string,
    look: () => Promise<{ found: Found; isMiss: boolean }>,
    options: MissesLookOptions = {},
  ): Promise<{ found: Found } | { retryAfterMs: number }> {
    const guesser = this.#guesser(key)
    try {
      return await guesser.line.run(() => this.#lookNow(key, guesser, look, options), options)
    } finally {
      if (guesser.misses === 0 && guesser.line.isEmpty) this.#guessers.delete(key)
    }
  }

  async #lookNow<Found>(
    key: string,
    guesser: Guesser,
    look: () => Promise<{ found: Found; isMiss: boolean }>,
    { signal, isPatient = true }: MissesLookOptions,
  ): Promise<{ found: Found } | { retryAfterMs: number }> {
    const now = this.#clock.monotonic()
    const waitMs = this.#waitMs(guesser)
    const turn = Math.max(now, guesser.lastTurn, ...guesser.turns) + waitMs
    if (waitMs > 0 && (!isPatient || guesser.turns.size >= MOST_WAITING)) return { retryAfterMs: turn - now }
    guesser.pending++
    try {
      if (waitMs > 0) {
        guesser.turns.add(turn)
        await this.#wait(turn - now, signal).finally(() => guesser.turns.delete(turn))
        guesser.lastTurn = turn
      }
      const { found, isMiss } = await look()
      if (isMiss) this.#miss(key, guesser)
      return { found }
    } finally {
      guesser.pending--
    }
  }

  /** How many lookups may be under way together. Past the limit each has a wait of its own, and none waits for another. */
  #room(guesser: Guesser): number {
    this.#forgive(guesser)
    const left = this.#most - Math.ceil(guesser.misses)
    return left <= 0 ? Number.POSITIVE_INFINITY : left
  }

  #guesser(key: string): Guesser {
    const known = this.#guessers.get(key)
    if (known) return known
    const line = new LookupLine(() => this.#room(guesser))
    const guesser: Guesser = {
      misses: 0,
      at: this.#clock.monotonic(),
      pending: 0,
      line,
      turns: new Set(),
      lastTurn: 0,
    }
    this.#guessers.set(key, guesser)
    return guesser
  }

  #forgive(guesser: Guesser): void {
    const now = this.#clock.monotonic()
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
    this.#guessers.set(key, guesser)
  }

  #wait(ms: number, signal?: AbortSignal): Promise<void> {
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
    })
  }
}
