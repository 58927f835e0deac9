/** Some 3,000 calls of two minutes. */
const MOST_BYTES = 16 << 20

interface Shown {
  version: string
  text: string
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
  find(id: string, version: string | null): string | undefined {
    const shown = this.#shown.get(id)
    if (!shown) return undefined
    this.#forget(id, shown)
    if (shown.version !== version) return undefined
    this.#keep(id, shown)
    return shown.text
  }

  keep(id: string, version: string, text: string): void {
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

/** At most: a text of Latin letters alone takes half as much. */
const bytesOf = ({ text }: Shown): number => 2 * text.length
