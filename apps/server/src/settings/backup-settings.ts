import { join } from 'node:path'
import { SettingError } from '@heyline/kit/setting-error'
import type { Environment } from './environment.js'
import { refuseLonely } from './required.js'

/** The backups that the server makes by itself. */
export interface BackupSettings {
  everyMs: number
  directory: string
  /** How many there are at most. */
  keep: number
}

const HOUR_MS = 3_600_000

/** Undefined: it makes none. */
export function backupSettings(values: Environment): BackupSettings | undefined {
  const { BACKUP_EVERY_HOURS, BACKUP_DIR, BACKUP_KEEP, DATA_DIR, HEYLINE_SECRET } = values
  if (BACKUP_EVERY_HOURS === undefined) {
    refuseLonely(values, ['BACKUP_DIR'], 'BACKUP_EVERY_HOURS')
    return undefined
  }
  if (HEYLINE_SECRET === undefined)
    throw new SettingError(
      'HEYLINE_SECRET',
      'is needed with BACKUP_EVERY_HOURS, because it seals the backups: heyline secret makes one (docs/backup.md)',
    )
  return {
    everyMs: BACKUP_EVERY_HOURS * HOUR_MS,
    directory: BACKUP_DIR ?? join(DATA_DIR, 'backups'),
    keep: BACKUP_KEEP,
  }
}
