import { resolve } from 'node:path'
import { writeAudit } from '@heyline/back-office'
import { createOfficeClient } from '@heyline/back-office/client'
import { makeBackup, refuseUnsealed } from '../../backups/make-backup.js'
import { openDb } from '../../database/open-db.js'
import { openDataDirectory } from '../../keys/data-directory.js'
import { openLog } from '../../log/log.js'
import type { Json } from '../options/json-option.js'
import { runningServer } from '../place/own-database.js'
import { existingDatabase } from '../place/stopped-database.js'
import { CommandError } from '../terminal/command-error.js'
import { writeBeside } from '../terminal/new-file.js'
import type { CommandContext } from '../terminal/terminal.js'
import { surelySealed } from './surely-sealed.js'

/** `heyline db backup FILE`: also while a server runs. */
export async function backup(
  { settings, terminal }: CommandContext,
  file: string,
  { json, plain = false }: Json & { plain?: boolean },
): Promise<void> {
  if (!settings.databaseUrl) existingDatabase(settings)
  // A Postgres takes one more connection; a PGlite is its server's alone.
  const running = settings.databaseUrl ? undefined : await runningServer(settings)
  if (running) {
    const { secret } = openDataDirectory(settings.dataDirectory, settings.keys)
    const { installation } = createOfficeClient({
      url: running.url,
      headers: { authorization: `Bearer ${secret}` },
      errorOf: ({ code, message, cause }) =>
        new CommandError(code, `The server made no backup: ${message}`, { cause }),
    })
    const sent = await installation.backup({ plain: plain ? 'true' : 'false' })
    await writeBeside(file, plain ? sent : surelySealed(sent))
  } else {
    refuseUnsealed(settings, plain)
    const db = await openDb(settings, openLog({ level: 'warn', out: terminal.err }))
    try {
      await makeBackup(db, settings, file, { plain })
      if (settings.databaseUrl) await writeAudit(db, { name: 'command' }, 'backup_taken')
    } finally {
      await db.close()
    }
  }
  if (json) terminal.log(JSON.stringify({ file: resolve(file), sealed: !plain }))
  else
    terminal.log(
      plain
        ? `The database is in ${file}, which whoever has it can read. It holds no keys. heyline db restore puts it back`
        : `The database is in ${file}, sealed with HEYLINE_SECRET: heyline db restore puts it back, also elsewhere`,
    )
}
