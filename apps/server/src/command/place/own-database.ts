import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Db, migrate } from '@heyline/database'
import { SettingError } from '@heyline/kit/setting-error'
import { databaseName, openDb, SQL_FOLDER } from '../../database/open-db.js'
import { openDataDirectory } from '../../keys/data-directory.js'
import { keyStandings, refuseOtherKeys } from '../../keys/shared-keys.js'
import { openLog } from '../../log/log.js'
import { findRunningServer, type ServerFile } from '../../running-server/server-file.js'
import type { Settings } from '../../settings/settings.js'
import { CommandError } from '../terminal/command-error.js'
import type { CommandContext } from '../terminal/terminal.js'

/** How what the database holds is reached. */
interface Ways<Place> {
  /** Through a running server, with the secret key. */
  running: (url: string, secretKey: string) => Place
  /** Itself, migrated. */
  stopped: (db: Db) => Place
  /** What is done there is sealed or signed with the keys, so that they have to be those of the servers. */
  usesKeys?: boolean
}

/** Works through the running server, or, with none running, on the database itself. */
export async function withOwnDatabase<Place>(
  { settings, terminal }: CommandContext,
  ways: Ways<Place>,
  work: (place: Place) => Promise<void>,
) {
  const { dataDirectory } = settings
  if (!existsSync(dataDirectory))
    terminal.error(`heyline: made a data directory at ${resolve(dataDirectory)}`)
  const keys = openDataDirectory(dataDirectory, settings.keys)
  const running = await runningServer(settings)
  if (running) return work(ways.running(running.url, keys.secret))
  const db = await openDb(settings, openLog({ level: 'warn', out: terminal.err }))
  try {
    await migrate(db, { folder: SQL_FOLDER })
    const own = { settings, keys }
    if (ways.usesKeys) refuseOtherKeys(db, own, await keyStandings(db, own))
    await work(ways.stopped(db))
  } finally {
    await db.close()
  }
}

/** The server that runs on the data directory and on the same database; undefined where none runs. */
export async function runningServer(settings: Settings): Promise<ServerFile | undefined> {
  const running = await findRunningServer(settings.dataDirectory, databaseName(settings))
  if (running && running.database !== databaseName(settings))
    throw new SettingError(
      'DATABASE_URL',
      `the server that runs on ${resolve(settings.dataDirectory)} uses another database`,
    )
  return running
}

/** Throws a `CommandError` where there is no data directory. A pause in a new directory would stop no calls. */
export function refuseNowhere({ databaseUrl, dataDirectory }: Settings, what = 'is no call desk'): void {
  if (databaseUrl || existsSync(dataDirectory)) return
  throw new CommandError(
    'no_data_directory',
    `There is no data directory at ${resolve(dataDirectory)}, so there ${what} either: set DATA_DIR to the directory of the server`,
  )
}
