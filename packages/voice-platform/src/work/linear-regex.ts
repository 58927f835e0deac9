import { RE2JS, RE2JSException } from 're2js'

/** How an expression is read. All are off by default. */
export interface RegexSwitches {
  ignoreCase?: boolean
  wholeWord?: boolean
  multiLine?: boolean
}

/** Most characters of a text that an expression looks at: its end, where the last words are. */
export const MOST_SEARCHED = 300

/** Most steps that an expression may become, counted before it is compiled: some hundredths of a second. */
const MOST_COMPILED = 10_000
const REPEATS = /(.?)\{(\d+)(?:,(\d*))?\}/gs

/** No fewer steps than an expression has: what is repeated is written out, and groups may lie in one another. */
function mostSize(source: string): number {
  let size = source.length
  let groups = 1
  for (const [, before = '', least, most] of source.matchAll(REPEATS)) {
    const times = Math.max(1, Number(most || least))
    if (/[)}?*+]/.test(before)) groups *= times
    else size += times
  }
  return size * groups
}

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

  /** How many steps a character may take. Undefined where this is no expression that is served, or even compiling it takes long. */
  get cost(): number | undefined {
    if (mostSize(this.#source) > MOST_COMPILED) return undefined
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
