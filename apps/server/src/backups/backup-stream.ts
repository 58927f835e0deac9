import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Db } from '@heyline/database'
import type { Settings } from '../settings/settings.js'
import { type BackupWish, makeBackup, refuseUnsealed } from './make-backup.js'

/** Begins the names of folders in which backups are made before they are sent. */
const FOLDER = 'sending-backup-'

/** A backup of the database: written to a file in the data directory first, which goes away with the stream. */
export async function backupStream(
  db: Db,
  settings: Pick<Settings, 'keys' | 'formerHookSecret' | 'dataDirectory'>,
  wish: BackupWish,
): Promise<ReadableStream<Uint8Array>> {
  refuseUnsealed(settings, wish.plain)
  const folder = await mkdtemp(join(settings.dataDirectory, FOLDER))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const file = join(folder, 'backup')
    await makeBackup(db, settings, file, wish)
    const stream = createReadStream(file)
    stream.once('close', () => void remove())
    return Readable.toWeb(stream) as ReadableStream<Uint8Array>
  } catch (error) {
    await remove()
    throw error
  }
}

/** After that nobody sends it any more, in ms. */
const UNSENT_MS = 24 * 3_600_000

/** Removes what killed servers have left of backups that they sent. Others may use the same directory. */
export async function removeUnsent(dataDirectory: string, now = Date.now()): Promise<void> {
  const left = (await readdir(dataDirectory).catch(() => [])).filter((name) => name.startsWith(FOLDER))
  for (const name of left) {
    const folder = join(dataDirectory, name)
    const made = await stat(folder).catch(() => undefined)
    if (made && now - made.mtimeMs > UNSENT_MS) await rm(folder, { recursive: true, force: true })
  }
}
