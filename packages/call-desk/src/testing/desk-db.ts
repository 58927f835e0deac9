import { type Db, migrate } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'

/** A migrated database of its own. */
export async function openDeskDb(): Promise<Db> {
  const db = await openTestDb()
  await migrate(db, { folder: new URL('../../../../supabase/', import.meta.url) })
  return db
}
