import { ByteReader } from './byte-reader.js'
import { BLOCK, decodeHeader, type Entry } from './header.js'

/** One entry as it is read: its content is taken by one of the two, or passed over. */
export interface ReadEntry extends Entry {
  pieces(): AsyncGenerator<Uint8Array>
  /** All of it, which may have `most` bytes. @throws Error for more */
  text(most: number): Promise<string>
}

/**
 * The entries of a tar archive, one after another, and what is behind them, so that a checksum there is looked at, too.
 * @throws Error when it is no such archive, cut off or damaged
 */
export async function* readArchive(archive: AsyncIterable<Uint8Array>): AsyncGenerator<ReadEntry> {
  const reader = new ByteReader(archive)
  for (;;) {
    const entry = decodeHeader(await reader.exactly(BLOCK))
    if (entry === null) break
    const size = entry.type === 'file' ? entry.size : 0
    let left = size
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      while (left > 0) {
        const piece = await reader.some(left)
        left -= piece.length
        yield piece
      }
    }
    const text = async (most: number): Promise<string> => {
      if (size > most) throw new Error(`${entry.path} has ${size} bytes, which is more than it may have.`)
      const all: Uint8Array[] = []
      for await (const piece of pieces()) all.push(piece)
      return Buffer.concat(all).toString('utf8')
    }
    yield { ...entry, pieces, text }
    for await (const _ of pieces()) {
      // nobody wanted it
    }
    await reader.exactly((BLOCK - (size % BLOCK)) % BLOCK)
  }
  await reader.drain()
}
