import { loopTurn } from '../loop-turn/loop-turn.js'

/** Deepest that the values of a JSON may lie inside each other: what stores and shows them goes into each, and nobody needs more. */
export const MOST_NESTING = 100

/** What is read in one go, in characters. */
const SLICE = 250_000

const [QUOTE, BACKSLASH, COMMA, OBJECT, OBJECT_END, LIST, LIST_END] = [...'"\\,{}[]'].map((sign) =>
  sign.charCodeAt(0),
)
const SPACE = ' '.charCodeAt(0)

export interface JsonBounds {
  /** Levels of lists and objects; `MOST_NESTING` where it is left out. */
  nesting?: number
  /** Objects, lists, texts and all other values, with those that are in them. */
  values?: number
}

/** What a text has too much of. */
export type JsonExcess = 'nesting' | 'values'

/**
 * Whether a JSON text goes beyond these bounds; undefined where it does not. `JSON.parse` holds everybody up for a text of many values, however
 * long they are, and this does not: the text is read in slices with turns for others between them, up to the first excess. What is no JSON is
 * left to the parser, for which it is as short.
 */
export async function jsonExcess(text: string, bounds: JsonBounds): Promise<JsonExcess | undefined> {
  const scan = new JsonScan(bounds)
  for (let from = 0; from < text.length; from += SLICE) {
    if (from > 0) await loopTurn()
    const excess = scan.read(text, from, Math.min(from + SLICE, text.length))
    if (excess) return excess
  }
  return undefined
}

/** The same in one go, for texts that are bounded otherwise. */
export const shortJsonExcess = (text: string, bounds: JsonBounds): JsonExcess | undefined =>
  new JsonScan(bounds).read(text, 0, text.length)

class JsonScan {
  readonly #most: Required<JsonBounds>
  #levels = 0
  #values = 1
  #isText = false
  #isEscaped = false
  /** Nothing stands behind the bracket that was opened last. */
  #isEmpty = false

  constructor({ nesting = MOST_NESTING, values = Number.POSITIVE_INFINITY }: JsonBounds) {
    this.#most = { nesting, values }
  }

  read(text: string, from: number, to: number): JsonExcess | undefined {
    for (let at = from; at < to; at++) {
      let sign = text.charCodeAt(at)
      if (this.#isText) {
        if (!this.#isEscaped) {
          while (sign !== QUOTE && sign !== BACKSLASH && ++at < to) sign = text.charCodeAt(at)
          if (at >= to) break
        }
        this.#isText = sign !== QUOTE || this.#isEscaped
        this.#isEscaped = sign === BACKSLASH && !this.#isEscaped
        continue
      }
      if (sign <= SPACE) continue
      const isEnd = sign === OBJECT_END || sign === LIST_END
      // The first value of a list or an object has no comma.
      if (sign === COMMA || (this.#isEmpty && !isEnd)) this.#values += 1
      this.#isEmpty = sign === OBJECT || sign === LIST
      if (this.#isEmpty) this.#levels += 1
      else if (isEnd) this.#levels -= 1
      else this.#isText = sign === QUOTE
      if (this.#levels > this.#most.nesting) return 'nesting'
      if (this.#values > this.#most.values) return 'values'
    }
    return undefined
  }
}
