import { type Clock, systemClock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { Db } from '../db/db.js'

export interface TidyingOptions {
  db: Db
  /** Each as `schema.table`. */
  tables: readonly string[]
  logger: Logger
  clock?: Clock
}

const LOOK_MS = 10_000

/** After a failure: what took too long would have everybody wait again. */
const RETRY_MS = 3_600_000

/** A table is tidied when it has grown by more pages (8 kB each) than this, and by a fiftieth: an update of so many rows may touch half of all pages. */
const FEWEST_PAGES = 128

/** Not when it has grown by more than this, 200 MB: everybody would wait for a second or longer. */
const MOST_PAGES = 25_000

/**
 * Has indexes of these tables answer by themselves again soon after many rows were added, and Postgres know what the tables hold: looks
 * every ten seconds. A Postgres sees to that by itself; PGlite has nobody who would, so nothing happens on anything else.
 * Resolves with how to end it.
 */
export function keepTidy({ db, tables, logger, clock = systemClock }: TidyingOptions): () => Promise<void> {
  if (db.kind !== 'pglite') return async () => {}
  let isClosed = false
  let cancel = () => {}
  let running = Promise.resolve()
  const look = () => {
    running = tidy(db, tables)
      .then(() => LOOK_MS)
      .catch((err: unknown) => {
        logger.error({ err }, 'the tables were not tidied; the next try is in an hour')
        return RETRY_MS
      })
      .then((waitMs) => {
        if (!isClosed) cancel = clock.after(waitMs, look)
      })
  }
  cancel = clock.after(LOOK_MS, look)
  return async () => {
    isClosed = true
    cancel()
    await running
  }
}

/** Tidies those of the tables that grew; resolves with their names. On PGlite everybody else waits meanwhile: about 4 ms for 100 new pages. */
export async function tidy(db: Db, tables: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    // Long texts stand beside their table: those of a row that changed often are many times what the table itself holds.
    `select name from (
       select name, c.relallvisible + coalesce(t.relallvisible, 0) as seen,
         (pg_relation_size(c.oid) + coalesce(pg_relation_size(t.oid), 0)) / current_setting('block_size')::int as pages
       from jsonb_array_elements_text($1) as name
       join pg_class c on c.oid = to_regclass(name) left join pg_class t on t.oid = c.reltoastrelid) tables
     where pages - seen between ${FEWEST_PAGES} and ${MOST_PAGES} and pages - seen > pages / 50`,
    [tables],
  )
  for (const { name } of rows) await db.query(`vacuum (analyze) ${name}`)
  return rows.map(({ name }) => name)
}
