import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { endQueue } from '@heyline/call-desk'
import {
  DataDirectoryLocked,
  type Manifest,
  migrate,
  restorePglite,
  restorePostgres,
} from '@heyline/database'
import { missingKeys } from '../../backups/backup-keys.js'
import { isKept } from '../../backups/kept-rows.js'
import { openDb, SQL_FOLDER } from '../../database/open-db.js'
import { openDataDirectory } from '../../keys/data-directory.js'
import { openLog } from '../../log/log.js'
import type { Json } from '../options/json-option.js'
import { directoryOf, hasDatabase, refuseRunning } from '../place/stopped-database.js'
import { CommandError } from '../terminal/command-error.js'
import { writeBeside } from '../terminal/new-file.js'
import type { CommandContext } from '../terminal/terminal.js'

/** `heyline db restore FILE`: only while no server runs; what is there is replaced with `--yes` only. */
export async function restore(
  context: CommandContext,
  file: string,
  { yes = false, json }: Json & { yes?: boolean },
): Promise<void> {
  const { settings, terminal } = context
  await refuseRunning(settings)
  if (!existsSync(file)) throw new CommandError('no_file', `${file} is not there: name a backup`)
  const place = placeOf(context, yes)
  const manifest = await (settings.databaseUrl ? intoPostgres(context, file, yes) : intoPglite(context, file))
  const endedCalls = await makeUsable(context)
  // Not before: where nothing was restored, no keys are made either.
  const ring = openDataDirectory(settings.dataDirectory, settings.keys)
  const keys = missingKeys(manifest?.keys ?? {}, settings, ring)
  const names = Object.keys(keys)
  const keysFile = names.length > 0 ? await writeKeys(settings.dataDirectory, keys) : undefined
  if (json) {
    terminal.log(
      JSON.stringify({
        ...(settings.databaseUrl ? { database: 'postgres' } : { directory: place }),
        takenAt: manifest?.takenAt ?? null,
        endedCalls,
        ...(keysFile !== undefined && { keysFile, keys: names }),
      }),
    )
    return
  }
  const taken = manifest ? `, of ${manifest.takenAt}` : ''
  terminal.log(`The database in ${place} is that of ${file} now${taken}`)
  if (endedCalls > 0)
    terminal.log(
      `${endedCalls} phone calls that were waiting then are not placed any more: others may have placed them`,
    )
  if (keysFile !== undefined)
    terminal.log(
      `It needs ${names.join(', ')} as its installation had them: put the lines of ${keysFile} into the settings before the start, and remove the file`,
    )
}

/** How people know the database. */
function placeOf({ settings }: CommandContext, yes: boolean): string {
  if (settings.databaseUrl) return 'Postgres'
  const directory = directoryOf(settings)
  if (hasDatabase(directory) && !yes)
    throw new CommandError(
      'not_confirmed',
      `${directory} holds a database, which the backup replaces: say so with --yes`,
    )
  return directory
}

const partsOf = ({ settings, terminal }: CommandContext, file: string) => ({
  file,
  secret: settings.keys.root,
  folder: SQL_FOLDER,
  isKept,
  logger: openLog({ level: 'warn', out: terminal.err }),
})

const intoPglite = (context: CommandContext, file: string): Promise<Manifest | undefined> =>
  restorePglite({ ...partsOf(context, file), directory: directoryOf(context.settings) }).catch(explainLock)

async function intoPostgres(
  context: CommandContext,
  file: string,
  replace: boolean,
): Promise<Manifest | undefined> {
  const { settings } = context
  const parts = partsOf(context, file)
  const db = await openDb(settings, parts.logger)
  try {
    return await restorePostgres({ ...parts, db, staging: settings.dataDirectory, replace })
  } finally {
    await db.close()
  }
}

/** As a start would; and what was waiting to be dialled is not dialled twice. Resolves with how many calls that were. */
async function makeUsable({ settings, terminal }: CommandContext): Promise<number> {
  const db = await openDb(settings, openLog({ level: 'warn', out: terminal.err }))
  try {
    await migrate(db, { folder: SQL_FOLDER })
    return await endQueue(db)
  } finally {
    await db.close()
  }
}

/** Settings as an environment file has them, for this user alone. */
async function writeKeys(dataDirectory: string, keys: Record<string, string>): Promise<string> {
  const file = resolve(dataDirectory, 'restored-keys.env')
  const lines = Object.entries(keys).map(([name, value]) => `${name}=${written(value)}\n`)
  await writeBeside(
    file,
    (async function* () {
      yield* lines
    })(),
  )
  return file
}

/** What is more than plain characters stands in quotes. */
const written = (value: string): string => {
  if (/^[\w.,:/+=@-]*$/.test(value)) return value
  return value.includes("'") ? `"${value}"` : `'${value}'`
}

function explainLock(error: unknown): never {
  if (error instanceof DataDirectoryLocked)
    throw new CommandError('server_running', error.message, { cause: error })
  throw error
}
