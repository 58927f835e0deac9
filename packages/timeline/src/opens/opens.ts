import { type Db, type ErasureMark, erasedSince, lastErasure } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { everyHour } from '@heyline/kit/every-hour'
import { FairLine } from '@heyline/kit/fair-line'
import { NoTurnError } from '@heyline/kit/waiting-line'
import { recordEvent } from '../events/record-event.js'
import { STORING_OPENS } from './erasing-lock.js'
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

/** So many are under way at once, of everybody and of one network; more are dropped. */
const MOST_UNDER_WAY = { ofAll: 4_000, ofNetwork: 50 }
/** Few at once, and of each network in turn: whoever looks at a page never waits behind what tells of it. */
const TURNS = {
  atOnce: 2,
  waiting: { ofAddress: 50, ofNetwork: 50, networks: 4_000 },
  longestMs: 10_000,
}

/** How long a mark of erasures is used. An older one is as safe: opens of a visitor who is erased and added again within that are lost. */
const MARK_MS = 1000

/** Stores that people have opened pages. Forgets old keys at once and every hour. */
export class Opens {
  readonly #db: Db
  readonly #onError: (error: unknown) => void
  readonly #clock: Clock
  readonly #limits: OpenLimits
  readonly #keys: OpenerKeys
  readonly #turns = new FairLine(TURNS)
  readonly #underWay = new Set<Promise<void>>()
  readonly #ofNetworks = new Map<string, number>()
  readonly #endForgetting: () => Promise<void>
  #isClosed = false
  #erasures: { mark: ErasureMark; readAt: number } | undefined

  constructor({ db, onError, clock = systemClock }: OpensOptions) {
    this.#db = db
    this.#onError = onError
    this.#clock = clock
    this.#limits = new OpenLimits(clock)
    this.#keys = new OpenerKeys(db, clock)
    this.#endForgetting = everyHour({ run: () => this.#keys.forget(), onError, clock })
  }

  /** Takes the news. Whoever brought it does not wait, and learns nothing of what becomes of it. */
  take(opening: Opening): void {
    const { opener } = opening
    const near = this.#ofNetworks.get(opener.network) ?? 0
    const isFull = this.#underWay.size >= MOST_UNDER_WAY.ofAll || near >= MOST_UNDER_WAY.ofNetwork
    if (this.#isClosed || isFull || !this.#limits.admits(opener)) return
    this.#ofNetworks.set(opener.network, near + 1)
    const stored = this.#turns
      .run(opener, () => this.#store(opening))
      .catch((error: unknown) => {
        // What waited for too long is dropped as what is too much.
        if (!(error instanceof NoTurnError)) this.#onError(error)
      })
      .finally(() => {
        this.#underWay.delete(stored)
        this.#leave(opener.network)
      })
    this.#underWay.add(stored)
  }

  #leave(network: string): void {
    const left = (this.#ofNetworks.get(network) ?? 1) - 1
    if (left > 0) this.#ofNetworks.set(network, left)
    else this.#ofNetworks.delete(network)
  }

  /** Resolves when nothing is under way any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#endForgetting(), ...this.#underWay])
  }

  async #lastErasure(): Promise<ErasureMark> {
    const now = this.#clock.monotonic()
    if (this.#erasures && now - this.#erasures.readAt < MARK_MS) return this.#erasures.mark
    const mark = await lastErasure(this.#db)
    this.#erasures = { mark, readAt: now }
    return mark
  }

  async #store({ opener, find }: Opening): Promise<void> {
    const erasures = await this.#lastErasure()
    const slug = await find()
    if (slug === undefined || !this.#limits.admitsFor(opener, slug)) return
    const hash = await this.#keys.openerOf(opener.address)
    await this.#db.transaction(async (tx) => {
      await tx.query(`select ${STORING_OPENS}`)
      if (await erasedSince(tx, erasures, { slug })) return
      await recordEvent(tx, { type: 'page.opened', slug, actor: 'visitor', opener: hash, payload: {} })
    })
  }
}
