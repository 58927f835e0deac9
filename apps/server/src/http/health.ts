import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { KeptAnswer } from '@heyline/kit/kept-answer'
import type { Readiness } from '../drain/readiness.js'
import { within } from '../ready/within.js'

/** Longest that readiness waits for the database, in ms. */
const PATIENCE_MS = 2_000
/** How long an answer of the database holds, in ms: anybody may ask, and as often as he likes. */
const HOLDS_MS = 1_000

export interface HealthOptions {
  db: Pick<Db, 'kind' | 'query'>
  /** What only this server can say of a nonce. */
  prove(nonce: string): string | undefined
  /** Reasons why this process should be sent no work, besides the database. */
  readiness: Pick<Readiness, 'reasons'>
  clock?: Clock
}

/** Whether this process can serve. Those who ask at the same time, or within a second, share one question to the database. */
export class Health {
  readonly #options: HealthOptions
  readonly #clock: Clock
  readonly #asked: KeptAnswer<boolean>

  constructor(options: HealthOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#asked = new KeptAnswer({ ask: () => this.#ask(), keptMs: HOLDS_MS, clock: this.#clock })
  }

  /**
   * `/-/health`: 200 while this process can serve, 503 while its database can't be asked, and while there is a reason to
   * send it no work (`reasons`, such as `draining`). To `?nonce=…` it adds a `proof` of
   * which server this is.
   */
  async answer(nonce: string | undefined): Promise<Response> {
    const { db, prove, readiness } = this.#options
    const isAsked = await this.#asked.get()
    const { reasons } = readiness
    const ready = isAsked && reasons.length === 0
    return Response.json(
      {
        status: ready ? 'ok' : 'unavailable',
        live: true,
        ready,
        database: db.kind,
        ...(reasons.length > 0 && { reasons }),
        ...(nonce !== undefined && { proof: prove(nonce) }),
      },
      { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } },
    )
  }

  #ask(): Promise<boolean> {
    return within(this.#options.db.query('select 1'), PATIENCE_MS, this.#clock).then(
      () => true,
      () => false,
    )
  }
}
