/** Takes exact numbers of bytes from a stream of pieces of any size. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Up to `most` bytes, at least one. @throws Error at the end of the stream */
  async some(most: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const next = await this.#pieces.next()
      if (next.done) throw new Error('The archive is cut off.')
      this.#rest = next.value
    }
    const taken = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(taken.length)
    return taken
  }

  /** Just that many. */
  async exactly(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count)
    for (let at = 0; at < count; ) {
      const piece = await this.some(count - at)
      bytes.set(piece, at)
      at += piece.length
    }
    return bytes
  }

  /** Reads to the end, so that a checksum behind the last byte is looked at, too. */
  async drain(): Promise<void> {
    while (!(await this.#pieces.next()).done) {
      // what follows the end of the archive is padding
    }
  }
}
