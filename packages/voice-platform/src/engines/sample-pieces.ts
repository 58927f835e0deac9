import { samplesOf } from '@heyline/room-protocol'

/** PCM16 samples of bytes in pieces of any length: a piece may end between the two bytes of a sample. */
export class SamplePieces {
  #odd: number | undefined

  /** The samples that are complete, if any. */
  read(piece: Uint8Array): Int16Array {
    const bytes = this.#odd === undefined ? piece : joined(this.#odd, piece)
    this.#odd = bytes.length % 2 === 1 ? bytes.at(-1) : undefined
    return samplesOf(bytes)
  }
}

function joined(first: number, rest: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(rest.length + 1)
  bytes[0] = first
  bytes.set(rest, 1)
  return bytes
}
