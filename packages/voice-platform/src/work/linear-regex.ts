import { RE2JS, RE2JSException } from 're2js'

/** How an expression is read. All are off by default. */
export interface RegexSwitches {
  ignoreCase?: boolean
  wholeWord?: boolean
  multiLine?: boolean
}

/** Most characters of a text that an expression looks at: its end, where the last words are. */
export const MOST_SEARCHED = 300

/**
 * A regular expression of somebody else's. It is searched for in time that grows only with the text (RE2), so no expression can hold up the
 * process. Look-ahead, look-behind and back-references are what that costs.
 */
export class LinearRegex {
  readonly #source: string
  readonly #flags: number
  #compiled: RE2JS | undefined

  constructor(source: string, { ignoreCase, wholeWord, multiLine }: RegexSwitches = {}) {
    const plain = RE2JS.translateRegExp(source)
    this.#source = wholeWord ? `\\b(?:${plain})\\b` : plain
    this.#flags = (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiLine ? RE2JS.MULTILINE : 0)
  }

  /** How many steps a character may take. Undefined where this is no expression that is served. */
  get cost(): number | undefined {
    try {
      return this.#regex().programSize()
    } catch (error) {
      if (error instanceof RE2JSException) return undefined
      throw error
    }
  }

  /** Whether it is found in the last 300 characters. */
  isIn(text: string): boolean {
    return this.#regex().matcher(text.slice(-MOST_SEARCHED)).find()
  }

  #regex(): RE2JS {
    this.#compiled ??= RE2JS.compile(this.#source, this.#flags)
    return this.#compiled
  }
}
