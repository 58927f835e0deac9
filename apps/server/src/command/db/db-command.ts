import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createOfficeClient } from '@heyline/back-office/client'
import { backupDatabase, DataDirectoryLocked, openPglite, restorePglite } from '@heyline/database'
import { openDataDirectory } from '../../keys/data-directory.js'
import { openLog } from '../../log/log.js'
import type { Json } from '../options/json-option.js'
import { runningServer } from '../place/own-database.js'
import {
  directoryOf,
  existingDatabase,
  hasDatabase,
  refusePostgres,
  refuseRunning,
} from '../place/stopped-database.js'
import { CommandError } from '../terminal/command-error.js'
import { writeBeside } from '../terminal/new-file.js'
import type { CommandContext, Terminal } from '../terminal/terminal.js'

/** `heyline db backup FILE`: also while a server runs. */
export async function backup(
  { settings, terminal }: CommandContext,
  file: string,
  { json }: Json,
): Promise<void> {
  refusePostgres(settings, 'pg_dump --format=custom and pg_restore do this for a Postgres')
  const directory = existingDatabase(settings)
  const running = await runningServer(settings)
  if (running) {
    const { secret } = openDataDirectory(settings.dataDirectory, settings.keys)
    const { installation } = createOfficeClient({
      url: running.url,
      headers: { authorization: `Bearer ${secret}` },
      errorOf: ({ code, message, cause }) =>
        new CommandError(code, `The server made no backup: ${message}`, { cause }),
    })
    await writeBeside(file, await installation.backup())
  } else {
    const db = await openPglite({ directory, logger: openLog({ level: 'warn', out: terminal.err }) })
    try {
      await backupDatabase(db, file)
    } finally {
      await db.close()
    }
  }
  say(terminal, json, { file: resolve(file) }, `The database is in ${file}: heyline db restore puts it back`)
}

/** `heyline db restore FILE`: only while no server runs; what is there is replaced with `--yes` only. */
export async function restore(
  { settings, terminal }: CommandContext,
  file: string,
  { yes, json }: Json & { yes?: boolean },
): Promise<void> {
  refusePostgres(settings, 'pg_restore does this for a Postgres')
  await refuseRunning(settings)
  if (!existsSync(file)) throw new CommandError('no_file', `${file} is not there: name a backup`)
  const directory = directoryOf(settings)
  if (hasDatabase(directory) && !yes)
    throw new CommandError(
      'not_confirmed',
      `${directory} holds a database, which the backup replaces: say so with --yes`,
    )
  openDataDirectory(settings.dataDirectory, settings.keys)
  await restorePglite({ directory, file, logger: openLog({ level: 'warn', out: terminal.err }) }).catch(
    explainLock,
  )
  say(terminal, json, { directory }, `The database in ${directory} is that of ${file} now`)
}

function explainLock(error: unknown): never {
  if (error instanceof DataDirectoryLocked)
    throw new CommandError('server_running', error.message, { cause: error })
  throw error
}

function say(terminal: Terminal, json: boolean | undefined, fields: Record<string, string>, line: string) {
  terminal.log(json ? JSON.stringify(fields) : line)
}
