import { type Clock, systemClock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { Db } from '../db/db.js'

export interface TidyingOptions {
  db: Db
  logger: Logger
  clock?: Clock
}

const LOOK_MS = 10_000
/** After a look that found something: who writes much goes on. */
const NEXT_LOOK_MS = 2_000
const RETRY_MS = 60_000

/** A table is tidied when it has grown by more pages (8 kB each) than this, and by a fiftieth: an update of so many rows may touch half of all pages. */
const FEWEST_PAGES = 128

/** A table whose room was used again has not grown. It is tidied when more than this share of its rows is dead. */
const DEAD_SHARE = 0.2

/** What takes longer than about a second waits for a quiet moment: more pages than this, 200 MB. */
const MOST_PAGES = 25_000

/** So many times as many pages of dead rows do not wait: somebody who keeps the server busy would fill the disk. */
const DEAD_TIMES = 4

/** The moment is quiet when the log grew by less than this since the last look, in bytes. */
const QUIET_LOG = 1_000_000

/**
 * Gives the room of rows that were changed or removed back to all tables, has their indexes answer by themselves again soon after many rows were
 * added, and has Postgres know what the tables hold: looks every ten seconds. A Postgres sees to that by itself; PGlite has nobody who would, so
 * nothing happens on anything else. Resolves with how to end it.
 */
export function keepTidy({ db, logger, clock = systemClock }: TidyingOptions): () => Promise<void> {
  if (db.kind !== 'pglite') return async () => {}
  const closing = new AbortController()
  let cancel = () => {}
  let running = Promise.resolve()
  let logged = 0
  const tidyOnce = async () => {
    const isQuiet = (await logEnd(db)) - logged < QUIET_LOG
    const tidied = await tidy(db, { isQuiet, signal: closing.signal })
    logged = await logEnd(db)
    return tidied.length > 0 ? NEXT_LOOK_MS : LOOK_MS
  }
  const look = () => {
    running = tidyOnce()
      .catch((err: unknown) => {
        logger.error({ err }, 'the tables were not tidied; the next try is in a minute')
        return RETRY_MS
      })
      .then((waitMs) => {
        if (!closing.signal.aborted) cancel = clock.after(waitMs, look)
      })
  }
  cancel = clock.after(LOOK_MS, look)
  return async () => {
    closing.abort()
    cancel()
    await running
  }
}

/** How many bytes the log has had, since the database was made. */
async function logEnd(db: Db): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes",
  )
  return rows[0]?.bytes ?? 0
}

/**
 * Each table with what lies beside it: long texts stand in a table of their own, and those of a row that changed often are many times what the
 * table itself holds. `seen` is what the last vacuum left behind, and `dead` is counted by rows, as far as Postgres has counted since it started.
 */
const CHANGED = `
  with parts as (
    select coalesce(beside.oid, p.oid) as "table", pg_relation_size(p.oid) / current_setting('block_size')::float8 as pages, p.relallvisible as seen,
      pg_stat_get_dead_tuples(p.oid)::float8 as dead, pg_stat_get_live_tuples(p.oid)::float8 as live
    from pg_class p left join pg_class beside on p.relkind = 't' and beside.reltoastrelid = p.oid
    where p.relkind in ('r', 't') and p.relpersistence <> 't'),
  tables as (
    select "table", sum(pages) as pages, sum(pages - seen) as grown,
      coalesce(sum(pages * dead / nullif(live + dead, 0)) filter (where dead > ${DEAD_SHARE} * (live + dead)), 0) as dead
    from parts group by "table")
  select format('%I.%I', n.nspname, c.relname) as name
  from tables t join pg_class c on c.oid = t."table" join pg_namespace n on n.oid = c.relnamespace
  where ((grown > ${FEWEST_PAGES} and grown > pages / 50) or dead > ${FEWEST_PAGES})
    and ($1::boolean or dead > ${DEAD_TIMES} * $2::float8 or greatest(grown, dead) <= $2::float8)
  order by 1`

export interface TidyOptions {
  /** Nobody else has much to do: very large changes may be tidied, too. */
  isQuiet: boolean
  /** Ends it before the next table. */
  signal?: AbortSignal
  mostPages?: number
}

/**
 * Tidies those of all tables that changed much; resolves with their names. On PGlite everybody else waits meanwhile: about 4 ms for 100 new pages.
 * So very large changes are left for a quiet moment. A table that cannot be tidied keeps no other from it: rejects once all were tried.
 */
export async function tidy(
  db: Db,
  { isQuiet, signal, mostPages = MOST_PAGES }: TidyOptions,
): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(CHANGED, [isQuiet, mostPages], {
    prepared: true,
  })
  // One after the other, so that others have their turn in between. Whatever is given up midway would begin anew.
  const patient = { patienceMs: Number.POSITIVE_INFINITY }
  const failures: unknown[] = []
  for (const { name } of rows) {
    if (signal?.aborted) break
    try {
      await db.query(`vacuum (process_toast false) ${name}`, [], patient)
      await db.query(`vacuum (process_main false) ${name}`, [], patient)
      await db.query(`analyze ${name}`, [], patient)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return rows.map(({ name }) => name)
}
