import type { RegexOption } from './regex-option.js'

/** How the model's output is cut into pieces for the voice. */
export interface ChunkPlan {
  /** Default true. */
  enabled?: boolean
  /** Least characters of a piece, 1–80. Default 30. */
  minCharacters?: number
  /** Marks that a piece may end at. Default: those that suit the voice. */
  punctuationBoundaries?: PunctuationBoundary[]
  formatPlan?: FormatPlan
}

export type PunctuationBoundary =
  | '。'
  | '，'
  | '.'
  | '!'
  | '?'
  | ';'
  | ')'
  | '،'
  | '۔'
  | '।'
  | '॥'
  | '|'
  | '||'
  | ','
  | ':'

/** How a piece is written out so that a voice can speak it: numbers, addresses, marks. */
export interface FormatPlan {
  /** Default true. */
  enabled?: boolean
  /** Numbers above this are spoken digit by digit. At least 0; default 2025. */
  numberToDigitsCutoff?: number
  /** Applied in order. Default none. */
  replacements?: (ExactReplacement | RegexReplacement)[]
  /** Default all. */
  formattersEnabled?: Formatter[]
}

export type Formatter =
  | 'markdown'
  | 'asterisk'
  | 'quote'
  | 'dash'
  | 'newline'
  | 'colon'
  | 'acronym'
  | 'dollarAmount'
  | 'email'
  | 'date'
  | 'time'
  | 'distance'
  | 'unit'
  | 'percentage'
  | 'phoneNumber'
  | 'number'
  | 'stripAsterisk'

/** Replaces a text. */
export interface ExactReplacement {
  type: 'exact'
  key: string
  /** At most 1000 characters. */
  value: string
  /** Every place, and not only the first. Default false. */
  replaceAllEnabled?: boolean
}

/** Replaces what a regular expression matches. */
export interface RegexReplacement {
  type: 'regex'
  regex: string
  options?: RegexOption[]
  /** At most 1000 characters. */
  value: string
}
