import { startThreadEarly } from '@heyline/database/pglite-thread'
import type { Terminal } from '../command/terminal/terminal.js'
import { takeEnvFile } from '../settings/env-file.js'

/**
 * Half of a start on PGlite passes in Postgres's thread. `heyline start` begins it before it loads its own code: this needs next to none, and
 * nothing of the settings but whether they name a Postgres.
 */
export function headStart(words: readonly string[], { env, directory }: Terminal): void {
  if (words[0] !== 'start' || words.includes('--help')) return
  try {
    const settings = { ...env }
    if (directory !== undefined) takeEnvFile(settings, directory)
    if (!settings.DATABASE_URL) startThreadEarly()
  } catch {
    // A file that can't be read is told of by the command.
  }
}
