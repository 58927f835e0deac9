/** Stands behind the sign for a character that takes two units of a string. */
export const FILLER = '\uffff'

/** The last plane that has digits. */
const LAST_DIGIT = 0x1ffff
/** What a digit in a circle, in parentheses or with a full stop is, in a compatible spelling. */
const DECORATED = /^\(?([0-9])[).,]?$/

/** Characters by the digit that they are: `{'４' => '4'}`. */
type Digits = ReadonlyMap<string, string>

let known: { decimal: Digits; decorated: Digits } | undefined

/** The digits of all scripts but ASCII's, and those that are set up or enclosed: `²`, `②`. Looked up once. */
export function digitsOfScripts(): { decimal: Digits; decorated: Digits } {
  if (known) return known
  const decimal = new Map<string, string>()
  const decorated = new Map<string, string>()
  for (let point = 0x80; point <= LAST_DIGIT; point++) {
    const character = String.fromCodePoint(point)
    // Unicode has the ten digits of a script side by side, from zero.
    if (/\p{Nd}/u.test(character)) decimal.set(character, String(decimal.size % 10))
    else if (/\p{No}/u.test(character)) {
      const [, digit] = DECORATED.exec(character.normalize('NFKC')) ?? []
      if (digit) decorated.set(character, digit)
    }
  }
  known = { decimal, decorated }
  return known
}

/** ASCII signs for the signs of all scripts; a letter for the letters, and `_` for the rest. */
const SIGNS: readonly [RegExp, string][] = [
  [/[\p{L}\p{N}]/u, 'a'],
  [/\p{Zs}/u, ' '],
  [/[\p{Pd}\u2212]/u, '-'],
  [/[\p{Ps}]/u, '('],
  [/[\p{Pe}]/u, ')'],
  [/\p{Sc}/u, '$'],
  [/[\uff0b\ufe62]/u, '+'],
]

/** The text in ASCII, but for fillers: each unit stands where it stood. */
export const plainText = (text: string, digits: Digits): string =>
  text.replace(/[^\0-\x7f]/gu, (character) => {
    const plain = digits.get(character) ?? SIGNS.find(([kind]) => kind.test(character))?.[1] ?? '_'
    return character.length === 1 ? plain : `${plain}${FILLER}`
  })
