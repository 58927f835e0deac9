import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { everyHour } from '@heyline/kit/every-hour'
import { recordEvent } from '../events/record-event.js'
import { type Opener, OpenLimits } from './open-limits.js'
import { OpenerKeys } from './opener-keys.js'

export interface OpensOptions {
  db: Db
  /** Is told what could not be stored, or forgotten. */
  onError: (error: unknown) => void
  clock?: Clock
}

/** News that somebody has opened a page. */
export interface Opening {
  opener: Opener
  /** Looks the visitor up: the slug as stored, or undefined where this open does not count. */
  find: () => Promise<string | undefined>
}

/** So many are under way at once; more are dropped. */
const MOST_UNDER_WAY = 1_000

/** Stores that people have opened pages. Forgets old keys at once and every hour. */
export class Opens {
  readonly #db: Db
  readonly #onError: (error: unknown) => void
  readonly #limits: OpenLimits
  readonly #keys: OpenerKeys
  readonly #underWay = new Set<Promise<void>>()
  readonly #endForgetting: () => Promise<void>
  #isClosed = false

  constructor({ db, onError, clock = systemClock }: OpensOptions) {
    this.#db = db
    this.#onError = onError
    this.#limits = new OpenLimits(clock)
    this.#keys = new OpenerKeys(db, clock)
    this.#endForgetting = everyHour({ run: () => this.#keys.forget(), onError, clock })
  }

  /** Takes the news. Whoever brought it does not wait, and learns nothing of what becomes of it. */
  take(opening: Opening): void {
    if (this.#isClosed || this.#underWay.size >= MOST_UNDER_WAY || !this.#limits.admits(opening.opener))
      return
    const stored = this.#store(opening)
      .catch(this.#onError)
      .finally(() => this.#underWay.delete(stored))
    this.#underWay.add(stored)
  }

  /** Resolves when nothing is under way any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#endForgetting(), ...this.#underWay])
  }

  async #store({ opener, find }: Opening): Promise<void> {
    const slug = await find()
    if (slug === undefined || !this.#limits.admitsFor(opener, slug)) return
    const hash = await this.#keys.openerOf(opener.address)
    await recordEvent(this.#db, { type: 'page.opened', slug, actor: 'visitor', opener: hash, payload: {} })
  }
}
