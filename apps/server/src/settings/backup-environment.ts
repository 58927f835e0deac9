import { z } from 'zod'
import { setting } from './setting.js'
import { wholeNumber } from './value.js'

/** Which backups the server makes by itself. */
export const backupEnvironment = {
  BACKUP_EVERY_HOURS: setting(wholeNumber(1, 168), {
    meaning:
      'The server makes a backup every so many hours, 1 to 168, sealed with `HEYLINE_SECRET`, which it needs. Of several servers one makes each (`docs/backup.md`). Without a value it makes none.',
    examples: ['`24`'],
  }),
  BACKUP_DIR: setting(z.string(), {
    meaning:
      'The folder for them, which only this user can read. Choose one on another disk, such as a mounted one. Without a value: `backups` in `DATA_DIR`.',
  }),
  BACKUP_KEEP: setting(wholeNumber(1, 1_000), {
    default: '7',
    meaning:
      'How many of them are kept in that folder, 1 to 1000. Older ones are removed once a new one is whole.',
  }),
}
