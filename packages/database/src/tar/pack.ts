import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BLOCK, encodeHeader } from './header.js'

const CHUNK = 256 * 1024

/** What ends an archive. */
export const END_OF_ARCHIVE: Uint8Array = Buffer.alloc(2 * BLOCK)

/** Everything in the directory as a tar archive, piece by piece. The directory must not change meanwhile. */
export async function* pack(directory: string): AsyncGenerator<Uint8Array> {
  yield* packDirectory(directory)
  yield END_OF_ARCHIVE
}

/** The entries of everything in the directory. */
export const packDirectory = (directory: string): AsyncGenerator<Uint8Array> => packInside(directory, '')

/** The entry of one file with this content. */
export function packContent(path: string, content: string): Uint8Array {
  const bytes = Buffer.from(content)
  return Buffer.concat([
    encodeHeader({ path, type: 'file', size: bytes.length }),
    bytes,
    padding(bytes.length),
  ])
}

async function* packInside(root: string, inside: string): AsyncGenerator<Uint8Array> {
  const entries = await readdir(join(root, inside), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (entry.isDirectory()) {
      yield encodeHeader({ path, type: 'directory', size: 0 })
      yield* packInside(root, path)
    } else if (entry.isFile()) yield* packFile(join(root, path), path)
  }
}

async function* packFile(file: string, path: string): AsyncGenerator<Uint8Array> {
  const { size } = await stat(file)
  yield encodeHeader({ path, type: 'file', size })
  const handle = await open(file, 'r')
  try {
    for (let at = 0; at < size; ) {
      // A buffer of its own each time: whoever takes it may still hold the one before.
      const { bytesRead, buffer } = await handle.read(
        Buffer.allocUnsafe(CHUNK),
        0,
        Math.min(CHUNK, size - at),
        at,
      )
      if (bytesRead === 0) throw new Error(`${file} became shorter while it was read.`)
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await handle.close()
  }
  yield padding(size)
}

/** What fills the last block of a file. */
const padding = (size: number): Uint8Array => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
