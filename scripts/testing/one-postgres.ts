import { findPostgres, startTestPostgres } from '@heyline/database/testing'

/** One Postgres for all files of a run. Where none is installed, each file that asks for it counts what it leaves out. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  return findPostgres() ? await startTestPostgres() : undefined
}
