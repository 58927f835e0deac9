import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type ReadEntry, readArchive } from './read-archive.js'

/**
 * Unpacks a gzipped tar archive into an existing directory, files 0600 and directories 0700. It is not synced.
 * @throws Error when it is no such archive, cut off, damaged, or would write outside of the directory
 */
export async function unpack(file: string, directory: string): Promise<void> {
  await pipeline(createReadStream(file), createGunzip(), async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const entry of readArchive(pieces)) await unpackEntry(entry, directory)
  })
}

/** Writes one entry into the directory. */
export async function unpackEntry(entry: ReadEntry, directory: string): Promise<void> {
  const path = join(directory, entry.path)
  if (entry.type === 'directory') {
    mkdirSync(path, { mode: 0o700 })
    return
  }
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    for await (const piece of entry.pieces())
      for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at)
  } finally {
    closeSync(descriptor)
  }
}
