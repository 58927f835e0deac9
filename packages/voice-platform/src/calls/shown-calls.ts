/** Some 3,500 calls of two minutes. */
const MOST_BYTES = 16 << 20

/** In UTF-8. */
export type Text = Uint8Array<ArrayBuffer>

interface Shown {
  version: string
  text: Text
}

/** Keeps the JSON of calls as long as their rows stay as they are. The one that was unused for longest goes first. */
export class ShownCalls {
  readonly #shown = new Map<string, Shown>()
  readonly #mostBytes: number
  #bytes = 0

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes
  }

  /** Undefined where it is not kept, or has another version. */
  find(id: string, version: string | null): Text | undefined {
    const shown = this.#shown.get(id)
    if (!shown) return undefined
    this.#forget(id, shown)
    if (shown.version !== version) return undefined
    this.#keep(id, shown)
    return shown.text
  }

  keep(id: string, version: string, text: Text): void {
    const before = this.#shown.get(id)
    if (before) this.#forget(id, before)
    this.#keep(id, { version, text })
    for (const [oldest, shown] of this.#shown) {
      if (this.#bytes <= this.#mostBytes) return
      this.#forget(oldest, shown)
    }
  }

  #keep(id: string, shown: Shown): void {
    this.#shown.set(id, shown)
    this.#bytes += bytesOf(shown)
  }

  #forget(id: string, shown: Shown): void {
    this.#shown.delete(id)
    this.#bytes -= bytesOf(shown)
  }
}

const bytesOf = ({ text }: Shown): number => text.byteLength
