import { RestError } from '../../errors/rest-error.js'

/** Reads a part of the query string from its start to its end, in one pass. */
export class Reader {
  readonly #what: string
  readonly #text: string
  #at = 0

  /** `what` is the name of the part for messages ("filter"). */
  constructor(what: string, text: string) {
    this.#what = what
    this.#text = text
  }

  get ended(): boolean {
    return this.#at === this.#text.length
  }

  /** Takes what the pattern matches here; it must be sticky (`y`). Undefined where it does not match. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match === null) return undefined
    this.#at = pattern.lastIndex
    return match
  }

  /** Takes exactly this text, where it stands here. */
  skip(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  /** Takes exactly this text, or refuses. */
  expect(text: string): void {
    if (!this.skip(text)) throw this.unreadable(`expected "${text}"`)
  }

  /** Refuses what is left over. */
  end(): void {
    if (!this.ended) throw this.unreadable()
  }

  /** The rest, as it is. */
  rest(): string {
    const rest = this.#text.slice(this.#at)
    this.#at = this.#text.length
    return rest
  }

  /** PostgREST's words for a text that does not read; columns count from 1. */
  unreadable(details?: string): RestError {
    const found = this.ended ? 'unexpected end of input' : `unexpected "${this.#text.charAt(this.#at)}"`
    return new RestError('PGRST100', {
      message: `"failed to parse ${this.#what} (${this.#text})" (line 1, column ${this.#at + 1})`,
      details: details === undefined ? found : `${found}: ${details}`,
    })
  }
}

/** A text in double quotes, in which `\` stands before a quote or a backslash. Group 1 is what is between the quotes. */
export const QUOTED = /"([^"\\]*(?:\\.[^"\\]*)*)"/sy

/** What stands between the quotes, without its backslashes. */
export function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1')
}
