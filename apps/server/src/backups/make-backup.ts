import { BackupError, backupDatabase, type Db } from '@heyline/database'
import type { Settings } from '../settings/settings.js'
import { VERSION } from '../version.js'
import { keysOfBackup } from './backup-keys.js'
import { isKept } from './kept-rows.js'

export interface BackupWish {
  /** Whoever has the file may read it. */
  plain?: boolean | undefined
  /** Other work goes on beside it. */
  gently?: boolean
  signal?: AbortSignal
}

/**
 * Writes a backup that is sealed with HEYLINE_SECRET, or a plain one on purpose, which holds no keys.
 * @throws BackupError also `no_secret`
 */
export async function makeBackup(
  db: Db,
  settings: Pick<Settings, 'keys' | 'formerHookSecret'>,
  file: string,
  { plain = false, ...how }: BackupWish = {},
): Promise<void> {
  refuseUnsealed(settings, plain)
  const secret = plain ? undefined : settings.keys.root
  await backupDatabase(db, { file, secret, madeBy: VERSION, keys: keysOfBackup(settings), isKept, ...how })
}

/** @throws BackupError `no_secret` */
export function refuseUnsealed({ keys }: Pick<Settings, 'keys'>, plain = false): void {
  if (plain || keys.root !== undefined) return
  throw new BackupError(
    'no_secret',
    'A backup is sealed with HEYLINE_SECRET, which is not set: heyline secret makes one (docs/backup.md). With --plain whoever has the file can read it',
  )
}
