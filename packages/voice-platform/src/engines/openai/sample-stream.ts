import { samplesOf } from '@heyline/room-protocol'

/** PCM16 samples of bytes that come in pieces of any length; a piece may end between the two bytes of a sample. */
export async function* samplesOfPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Int16Array> {
  let odd: number | undefined
  for await (const piece of pieces) {
    const bytes = odd === undefined ? piece : joined(odd, piece)
    odd = bytes.length % 2 === 1 ? bytes.at(-1) : undefined
    if (bytes.length > 1) yield samplesOf(bytes)
  }
}

function joined(first: number, rest: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(rest.length + 1)
  bytes[0] = first
  bytes.set(rest, 1)
  return bytes
}
