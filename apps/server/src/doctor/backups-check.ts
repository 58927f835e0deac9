import { BackupFolder } from '../backups/backup-folder.js'
import type { Settings } from '../settings/settings.js'
import { type Finding, fail, ok, warn } from './finding.js'

const CHECK = 'backups'
const HOUR_MS = 3_600_000

/** Whether the newest scheduled backup is as young as it should be. Another server of a Postgres may have made it in a folder of its own. */
export async function checkBackups(
  { backups, databaseUrl }: Pick<Settings, 'backups' | 'databaseUrl'>,
  now = Date.now(),
): Promise<Finding[]> {
  if (!backups) return []
  const { directory, everyMs } = backups
  let newest: number | undefined
  try {
    newest = (await new BackupFolder(directory).backups())[0]?.at
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [fail(CHECK, `${directory} can't be read: ${reason}`, 'let this user read and write BACKUP_DIR')]
  }
  const age = newest === undefined ? undefined : now - newest
  const text =
    age === undefined
      ? `${directory} holds none yet`
      : `the newest in ${directory} is ${Math.max(0, Math.round(age / HOUR_MS))} hours old`
  // One may be missed while the server is stopped, or being made right now.
  if (age === undefined || age < 2 * everyMs || databaseUrl) return [ok(CHECK, text)]
  return [warn(CHECK, text, 'see why in the log of the server, which tries again every 15 minutes')]
}
