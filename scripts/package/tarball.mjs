import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

/** The date of every file, as in npm's packages: the same files make the same tarball. */
const MTIME = new Date('1985-10-26T08:15:00Z')

/** @typedef {{ name: string, content: Buffer, executable?: boolean }} Entry */

/** Writes a tarball whose files belong to root and can be read by everybody. @param {string} file @param {Iterable<Entry>} entries */
export async function writeTarball(file, entries) {
  const archive = pack()
  const written = pipeline(archive, createGzip({ level: 9 }), createWriteStream(file))
  for (const { name, content, executable } of entries)
    archive.entry({ name, mode: executable ? 0o755 : 0o644, mtime: MTIME, uid: 0, gid: 0 }, content)
  archive.finalize()
  await written
}
