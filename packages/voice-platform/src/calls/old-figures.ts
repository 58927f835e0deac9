import type { Queryable } from '@heyline/database'
import type { Logger } from 'pino'
import { z } from 'zod'

/** Calls of one statement. */
const PART = 500
/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'
const filled = z.tuple([z.object({ last: z.uuid().nullable() })])

/**
 * Gives calls of versions before this one their figures, or those that they lack, which lists and analytics ask for: part by part after the start, while
 * everybody works. Several processes may do it at once.
 */
export class OldFigures {
  readonly #db: Queryable
  readonly #logger: Logger
  #isClosed = false
  #run: Promise<void> = Promise.resolve()

  constructor(options: { db: Queryable; logger: Logger }) {
    this.#db = options.db
    this.#logger = options.logger
  }

  start(): void {
    this.#run = this.#fill().catch((error: unknown) =>
      this.#logger.warn({ err: error }, 'old calls have no figures yet: the next start goes on'),
    )
  }

  /** Stops after the part that is written now. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#run
  }

  async #fill(): Promise<void> {
    const { rows } = await this.#db.query(
      `select where exists (select from voice_platform.calls c
         where not exists (select from voice_platform.call_figures f where f.call_id = c.id))
       or exists (select from voice_platform.call_figures f where f.llm is not null and f.summary_cost is null)`,
      [],
    )
    let after: string | null = rows.length > 0 ? FIRST : null
    while (after !== null && !this.#isClosed) {
      const part = await this.#db.query(`select voice_platform.fill_call_figures($1, ${PART}) as last`, [
        after,
      ])
      after = filled.parse(part.rows)[0].last
    }
  }
}
