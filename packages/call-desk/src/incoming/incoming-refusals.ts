import type { Db, Queryable } from '@heyline/database'
import type { Logger } from 'pino'

/** How long counts wait to be written together, in milliseconds: a flood of calls does not become a flood of writes. */
const WRITE_MS = 1000

/** Counts calls to us that were not let pass, by the hour and the reason. None of them has a row of its own: anybody makes up calls. */
export class IncomingRefusals {
  readonly #db: Db
  readonly #logger: Logger
  #pending = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #writing = Promise.resolve()

  constructor({ db, logger }: { db: Db; logger: Logger }) {
    this.#db = db
    this.#logger = logger
  }

  /** `refusal` is one of `REFUSALS`. It is written within a second, with those that come meanwhile. */
  count(refusal: string): void {
    this.#pending.set(refusal, (this.#pending.get(refusal) ?? 0) + 1)
    this.#timer ??= setTimeout(() => this.#write(), WRITE_MS)
  }

  /** Resolves when all that was counted is written. */
  async close(): Promise<void> {
    this.#write()
    await this.#writing
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const counts = this.#pending
    if (counts.size === 0) return
    this.#pending = new Map()
    this.#writing = this.#writing.then(() => this.#add(counts))
  }

  async #add(counts: ReadonlyMap<string, number>): Promise<void> {
    const refused = Object.fromEntries(counts)
    try {
      await this.#db.query(
        `insert into call_desk.incoming_refusals as r (hour, refusal, count)
         select date_trunc('hour', now()), key, value::int from jsonb_each_text($1::jsonb) order by key
         on conflict (hour, refusal) do update set count = r.count + excluded.count`,
        [refused],
      )
    } catch (error) {
      this.#logger.warn({ refused, err: error }, 'refused incoming calls could not be counted')
    }
  }
}

/** How often calls to us were refused for one reason, in the last 24 hours and the last 31 days, each by whole hours. */
export interface IncomingRefusalCount {
  refusal: string
  day: number
  month: number
}

/** The most frequent first. */
export async function countIncomingRefusals(db: Queryable): Promise<IncomingRefusalCount[]> {
  const { rows } = await db.query<IncomingRefusalCount>(
    `select refusal, sum(count)::int as month,
       coalesce(sum(count) filter (where hour > now() - interval '24 hours'), 0)::int as day
     from call_desk.incoming_refusals where hour > now() - interval '31 days'
     group by 1 order by 2 desc, 1`,
  )
  return rows
}
