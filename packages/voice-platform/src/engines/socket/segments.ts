/** The words of a turn in segments, each known by a key. A segment stays where it first came up, whenever its final words arrive. */
export class Segments {
  readonly #segments = new Map<string, string>()
  readonly #finals = new Set<string>()

  /** The words of a segment. Those that are not final change nothing of a final one. */
  set(key: string, text: string, isFinal: boolean): void {
    if (this.#finals.has(key) && !isFinal) return
    if (isFinal) this.#finals.add(key)
    this.#segments.set(key, text.trim())
  }

  get text(): string {
    return [...this.#segments.values()].filter((text) => text !== '').join(' ')
  }
}
