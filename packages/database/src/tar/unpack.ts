import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ByteReader } from './byte-reader.js'
import { BLOCK, decodeHeader } from './header.js'

/**
 * Unpacks a gzipped tar archive into an existing directory, files 0600 and directories 0700. It is not synced.
 * @throws Error when it is no such archive, cut off, damaged, or would write outside of the directory
 */
export async function unpack(file: string, directory: string): Promise<void> {
  await pipeline(createReadStream(file), createGunzip(), async (pieces: AsyncIterable<Uint8Array>) => {
    const reader = new ByteReader(pieces)
    for (;;) {
      const entry = decodeHeader(await reader.exactly(BLOCK))
      if (entry === null) break
      const path = join(directory, entry.path)
      if (entry.type === 'directory') mkdirSync(path, { mode: 0o700 })
      else await unpackFile(reader, path, entry.size)
    }
    await reader.drain()
  })
}

async function unpackFile(reader: ByteReader, path: string, size: number): Promise<void> {
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    for (let left = size; left > 0; ) {
      const piece = await reader.some(left)
      for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at)
      left -= piece.length
    }
  } finally {
    closeSync(descriptor)
  }
  const rest = size % BLOCK
  if (rest > 0) await reader.exactly(BLOCK - rest)
}
