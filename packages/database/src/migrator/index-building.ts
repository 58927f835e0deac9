import { Loop } from '@heyline/kit/loop'
import type { Logger } from 'pino'
import type { Db, Queryable } from '../db/db.js'
import { keepApplied, readApplied } from './applied.js'
import { dropOf, type IndexStep } from './index-steps.js'
import { readMigrationFolder } from './migration-folder.js'

export interface IndexBuildingOptions {
  db: Db
  folder: string | URL
  logger: Logger
  /** How long after a failure, or while another process builds, the next try is, in ms. */
  everyMs?: number
}

const AGAIN_MS = 60_000

/**
 * Builds the indexes that `migrate` has left for later (`MigrationReport.later`), one process at a time, while everybody reads and writes;
 * looks again each minute until they are there. Returns how to end it: what is being built then is given up, and built afresh by the next.
 */
export function keepIndexesBuilt({
  db,
  folder,
  logger,
  everyMs = AGAIN_MS,
}: IndexBuildingOptions): () => Promise<void> {
  const closing = new AbortController()
  let said = ''
  const building = new Loop({
    everyMs,
    run: async () => {
      const { built, isDone } = await buildIndexes(db, folder, closing.signal)
      for (const file of built) logger.info({ file }, 'indexes are built')
      if (isDone) void building.close()
    },
    onError: (err) => {
      const reason = String(err)
      if (closing.signal.aborted || reason === said) return
      said = reason
      logger.error({ err }, 'indexes could not be built; they are tried again each minute')
    },
  })
  building.start()
  return async () => {
    closing.abort()
    await building.close()
  }
}

/** Resolves with the files whose indexes this run has built, and whether nothing is left: another process may be building. */
export async function buildIndexes(
  db: Db,
  folder: string | URL,
  signal: AbortSignal,
): Promise<{ built: string[]; isDone: boolean }> {
  const { migrations } = await readMigrationFolder(folder)
  if (!db.session) return { built: [], isDone: true }
  return await db.session(async (session) => {
    const built: string[] = []
    // Tried, never waited for: Postgres's building waits for whoever waits here.
    const { rows } = await session.query<{ mine: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('supabase_migrations.indexes', 0)) as mine",
    )
    if (!rows[0]?.mine) return { built, isDone: false }
    const known = await readApplied(session)
    for (const migration of migrations) {
      const { version, file, indexes } = migration
      if (known.has(version) || !indexes) continue
      for (const step of indexes) await take(session, step)
      await keepApplied(session, migration)
      built.push(file)
    }
    return { built, isDone: true }
  }, signal)
}

/** An index that a broken run has left is there by its name, but of no use. */
async function take(session: Queryable, { kind, schema, name, sql }: IndexStep): Promise<void> {
  const { rowCount: isBroken } = await session.query(
    `select from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2 and not i.indisvalid`,
    [schema, name],
  )
  if (kind === 'create' && isBroken) await session.exec(dropOf(schema, name).sql)
  await session.exec(sql)
}
