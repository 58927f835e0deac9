import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Settings } from '../../settings/settings.js'
import { CommandError } from '../terminal/command-error.js'
import { runningServer } from './own-database.js'

export const directoryOf = ({ dataDirectory }: Settings) => resolve(dataDirectory, 'pglite')

/** Whether PGlite's own files are there. */
export const hasDatabase = (directory: string) => existsSync(join(directory, 'pgdata'))

/** PGlite's directory; a command that reads it makes none. */
export function existingDatabase(settings: Settings): string {
  const directory = directoryOf(settings)
  if (hasDatabase(directory)) return directory
  throw new CommandError(
    'no_database',
    `There is no database in ${directory}: DATA_DIR names another, or none was made yet`,
  )
}

/** Throws a `CommandError` where the database is a Postgres, whose own tools do what is asked for. */
export function refusePostgres({ databaseUrl }: Settings, remedy: string): void {
  if (databaseUrl) throw new CommandError('not_pglite', `DATABASE_URL is set: ${remedy}`)
}

/** Throws a `CommandError` while a server runs on the data directory. */
export async function refuseRunning(settings: Settings): Promise<void> {
  const running = await runningServer(settings)
  if (running)
    throw new CommandError(
      'server_running',
      `A server runs on ${resolve(settings.dataDirectory)} (process ${running.pid}, ${running.url}): stop it first`,
    )
}
