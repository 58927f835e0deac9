import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { backupDatabase, type Db } from '@heyline/database'

/** A backup of the database: written to a file of its own first, which goes away with the stream. */
export async function backupStream(db: Db): Promise<ReadableStream<Uint8Array>> {
  const folder = await mkdtemp(join(tmpdir(), 'heyline-backup-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const file = join(folder, 'backup')
    await backupDatabase(db, file)
    const stream = createReadStream(file)
    stream.once('close', () => void remove())
    return Readable.toWeb(stream) as ReadableStream<Uint8Array>
  } catch (error) {
    await remove()
    throw error
  }
}
