/** Most fields of a record that anybody reads: a parser holds a piece of memory for each, however short. */
export const MOST_CSV_FIELDS = 1000

const QUOTE = '"'.charCodeAt(0)
const SPACES = [' ', '\t', '\f'].map((sign) => sign.charCodeAt(0))

export interface CsvForms {
  /** One sign of ASCII. */
  delimiter: string
  /** What ends a record. A CR in front of LF makes no difference. */
  newline?: '\n' | '\r'
  /** Spaces in front of a quote do not count. */
  trims?: boolean
}

/** Where in a field the last sign was. `closing`: behind a quote that ends it, or is the first of a doubled one. */
type Place = 'begin' | 'bare' | 'quoted' | 'closing'

/**
 * Counts the fields of the records of a CSV text (RFC 4180), before a parser makes values of them. The text may come in pieces. A quote that
 * stands inside of a field without quotes is a part of it.
 */
export class CsvFields {
  readonly #delimiter: number
  readonly #newline: number
  readonly #trims: boolean
  #place: Place = 'begin'
  #fields = 1
  #line = 1
  #began = 1

  constructor({ delimiter, newline = '\n', trims = false }: CsvForms) {
    this.#delimiter = delimiter.charCodeAt(0)
    this.#newline = newline.charCodeAt(0)
    this.#trims = trims
  }

  /** The line on which the record begins that was read last, from 1. */
  get line(): number {
    return this.#began
  }

  /** Reads on. Where in this piece a record's delimiter ends that is one too many; undefined where none is. */
  excess(piece: string): number | undefined {
    for (let at = 0; at < piece.length; at++) {
      const sign = piece.charCodeAt(at)
      if (sign === this.#newline) this.#line += 1
      if (this.#place === 'quoted') {
        if (sign === QUOTE) this.#place = 'closing'
      } else if (sign === this.#delimiter) {
        this.#place = 'begin'
        if (++this.#fields > MOST_CSV_FIELDS) return at + 1
      } else if (sign === this.#newline) {
        this.#place = 'begin'
        this.#fields = 1
        this.#began = this.#line
      } else if (sign === QUOTE && this.#place !== 'bare') this.#place = 'quoted'
      else if (this.#place !== 'begin' || !this.#trims || !SPACES.includes(sign)) this.#place = 'bare'
    }
    return undefined
  }
}
