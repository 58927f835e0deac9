/** Far more than anybody says in a turn, which lasts a minute at most: segments, and characters of all of them. */
const MOST_SEGMENTS = 1_000
const MOST_CHARACTERS = 40_000

/** The words of a turn in segments, each known by a key. A segment stays where it first came up, whenever its final words arrive. */
export class Segments {
  readonly #segments = new Map<string, string>()
  readonly #finals = new Set<string>()

  #characters = 0

  /** The words of a segment. Those that are not final change nothing of a final one. False, with nothing kept, where they are too many. */
  set(key: string, text: string, isFinal: boolean): boolean {
    if (this.#finals.has(key) && !isFinal) return true
    const before = this.#segments.get(key)
    const characters = this.#characters - lengthOf(key, before) + lengthOf(key, text.trim())
    if (characters > MOST_CHARACTERS || (before === undefined && this.#segments.size >= MOST_SEGMENTS))
      return false
    this.#characters = characters
    if (isFinal) this.#finals.add(key)
    this.#segments.set(key, text.trim())
    return true
  }

  get text(): string {
    return [...this.#segments.values()].filter((text) => text !== '').join(' ')
  }
}

const lengthOf = (key: string, text: string | undefined): number =>
  text === undefined ? 0 : key.length + text.length
