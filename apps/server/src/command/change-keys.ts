import { writeAudit } from '@heyline/back-office'
import { migrate } from '@heyline/database'
import { openDb, SQL_FOLDER } from '../database/open-db.js'
import { openDataDirectory } from '../keys/data-directory.js'
import { KEY_SETTINGS } from '../keys/keys.js'
import { acceptKeys, SEALED } from '../keys/shared-keys.js'
import { openLog } from '../log/log.js'
import { withSigningKeys } from './place/keys-place.js'
import { refuseNowhere } from './place/own-database.js'
import { refuseRunning } from './place/stopped-database.js'
import type { CommandContext } from './terminal/terminal.js'

/** `heyline keys accept`: also while the servers of a Postgres run. */
export async function acceptOwnKeys({ settings, terminal }: CommandContext, { json }: { json?: boolean }) {
  refuseNowhere(settings, 'are no keys')
  // A server on PGlite has said so itself, and nobody else can open its database.
  if (!settings.databaseUrl) await refuseRunning(settings)
  const keys = openDataDirectory(settings.dataDirectory, settings.keys)
  const db = await openDb(settings, openLog({ level: 'warn', out: terminal.err }))
  try {
    await migrate(db, { folder: SQL_FOLDER })
    const standings = await acceptKeys(db, { settings, keys }, (tx, changed) =>
      writeAudit(tx, { name: 'command' }, 'keys_accepted', { settings: changed }),
    )
    const accepted = [...standings].flatMap(([name, standing]) => (standing === 'known' ? [] : [name]))
    const replaced = accepted.filter((name) => standings.get(name) !== 'new')
    if (json) return terminal.log(JSON.stringify({ accepted, replaced }))
    terminal.log(
      accepted.length === 0
        ? 'The database knows these keys already'
        : `From now on these are the keys: ${accepted.join(', ')}. Restart every server with them: those with others refuse to start`,
    )
    if (replaced.includes(KEY_SETTINGS.secret)) terminal.log(SEALED)
  } finally {
    await db.close()
  }
}

/** `heyline keys rotate`. */
export function rotateKeys(context: CommandContext, { json }: { json?: boolean }): Promise<void> {
  return withSigningKeys(context, async (rotate) => {
    const made = await rotate()
    context.terminal.log(
      json
        ? JSON.stringify(made)
        : `The key ${made.kid} signs access tokens from now on. Tokens of the former one are good until they end`,
    )
  })
}
