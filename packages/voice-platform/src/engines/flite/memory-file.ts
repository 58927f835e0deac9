const FIRST_BYTES = 1 << 18
/** Most bytes of one file: four minutes of speech. A piece of text gives far less. */
const MOST_BYTES = 8 << 20

/** A file in memory that grows as it is written, and can seek. */
export class MemoryFile {
  #bytes = new Uint8Array(FIRST_BYTES)
  #length = 0
  #position = 0

  /** What was written, as a view. */
  get contents(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** From now on it is empty. */
  clear(): void {
    this.#length = 0
    this.#position = 0
  }

  /** False when the file would become too long; nothing is written then. */
  write(bytes: Uint8Array): boolean {
    const end = this.#position + bytes.length
    if (end > MOST_BYTES) return false
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(MOST_BYTES, Math.max(end, this.#bytes.length * 2)))
      larger.set(this.contents)
      this.#bytes = larger
    }
    this.#bytes.set(bytes, this.#position)
    this.#position = end
    this.#length = Math.max(this.#length, end)
    return true
  }

  /** Moves to `offset` from the start (0), from here (1) or from the end (2); returns the new position, -1 for none. */
  seek(offset: number, whence: number): number {
    const base = [0, this.#position, this.#length][whence]
    const position = (base ?? Number.NaN) + offset
    if (!(position >= 0 && position <= MOST_BYTES)) return -1
    this.#position = position
    return position
  }
}
