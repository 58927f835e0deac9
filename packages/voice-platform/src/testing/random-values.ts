/** Pieces of texts that are easily broken on their way: quotes, placeholders, wildcards, other scripts, pairs of surrogates. */
const PIECES = [
  'a',
  'Zoë',
  ' ',
  '"',
  "'",
  '\\',
  '{{x}}',
  '%',
  '_',
  '漢',
  '😀',
  'null',
  '--',
  '<b>',
  '$1',
  '0',
]

/** Values that one seed makes, always the same. */
export class RandomValues {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** A whole number from 0 up to this one, without it (mulberry32). */
  below(most: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most)
  }

  /** One line of at least one character, without spaces at its ends. */
  text(mostPieces = 8): string {
    const pieces = Array.from({ length: 1 + this.below(mostPieces) }, () => PIECES[this.below(PIECES.length)])
    return `n${pieces.join('')}.`
  }

  /** One of these. */
  of<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0]
  }
}
