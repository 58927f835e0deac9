import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { backupDatabase, type Db } from '@heyline/database'

/** A backup of the database as a body: written to a file of its own first, which goes away with the answer. */
export async function backupAnswer(db: Db): Promise<Response> {
  const folder = await mkdtemp(join(tmpdir(), 'heyline-backup-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const file = join(folder, 'backup')
    await backupDatabase(db, file)
    const stream = createReadStream(file)
    stream.once('close', () => void remove())
    const body = Readable.toWeb(stream) as ReadableStream<Uint8Array>
    return new Response(body, {
      headers: { 'content-type': 'application/gzip', 'cache-control': 'no-store' },
    })
  } catch (error) {
    await remove()
    throw error
  }
}
