/** What stands in a text in a number's place once it is hidden. */
export const HIDDEN_NUMBER = '(removed number)'

/** The digits of a number (E.164 is all three, without the trunk). */
export interface NumberParts {
  /** `1` of `+14155552671`; empty where that is not known. */
  callingCode: string
  /** The national significant number: `4155552671`. */
  national: string
  /** What the number's own country dials before it: `0` of London's `020 7946 0958`. */
  trunk?: string | undefined
}

/** A telephone number in every spelling in digits, to be found in texts. */
export interface WrittenNumber {
  /** A regular expression that Postgres is fast with: it finds each text that has the number, and some that have other numbers alone. */
  likely: string
  /** The text without it. */
  text(text: string): string
  /** The JSON document without it, in its texts, names and whole numbers; it stays JSON. */
  json(document: string): string
}

/** A national number of fewer digits is searched behind its country's code alone: too much else is written so. */
const LEAST_DIGITS = 7
/** A number in JSON, and not in a text, may count anything. */
const LEAST_BARE_DIGITS = 9

/** What people and transcribers write between two digits. */
const BETWEEN = '(?:, |[ ./()\u00a0\u2007\u2009\u2010-\u2015\u202f\u2212-]){0,3}'
const spelled = (digits: string): string => [...digits].join(BETWEEN)

/** A parenthesis around the first digits. */
const OPEN = '(?:\\((?=\\+?[0-9]{1,5}\\)))?'

/** Not within a longer run of digits. */
const whole = (spellings: readonly string[]): string => `(?<![0-9])${OPEN}(?:${spellings.join('|')})(?![0-9])`

/**
 * The number in E.164, with 00 or 011 for the plus, with the calling code alone, with the trunk's digits and as a national number; with up
 * to three spaces, dots, hyphens, slashes or parentheses between two digits. The same national digits behind another country's code are another number.
 */
export function writtenNumber({ callingCode, national, trunk }: NumberParts): WrittenNumber {
  const found = new RegExp(whole(spellingsOf({ callingCode, national, trunk })), 'g')
  const text = (given: string) => given.replace(found, HIDDEN_NUMBER)
  const bare = [national, `${callingCode}${national}`].filter(({ length }) => length >= LEAST_BARE_DIGITS)
  return {
    likely: spelled(national),
    text,
    json: (document) => {
      const parts: string[] = []
      for (const { between, quoted } of tokensOf(document)) {
        parts.push(
          between.replace(JSON_NUMBER, (token) =>
            bare.includes(token) ? JSON.stringify(HIDDEN_NUMBER) : token,
          ),
        )
        if (quoted !== '') parts.push(hiddenText(quoted, text))
      }
      return parts.join('')
    },
  }
}

function spellingsOf({ callingCode, national, trunk = '' }: NumberParts): string[] {
  const digits = spelled(national)
  const code = callingCode === '' ? '' : `${spelled(callingCode)}${BETWEEN}`
  const abroad = `(?:\\+|00|011)${BETWEEN}${code}(?:0${BETWEEN})?${digits}`
  // "+41 4155552671" is a number of Switzerland's.
  const elsewhere = `(?<!\\+(?:[0-9]{1,3}${BETWEEN})?)`
  const bare = [
    ...(national.length >= LEAST_DIGITS ? [digits] : []),
    ...(national.length >= LEAST_DIGITS && trunk !== '' ? [`${spelled(trunk)}${BETWEEN}${digits}`] : []),
    ...(code !== '' && callingCode.length + national.length >= LEAST_DIGITS ? [`${code}${digits}`] : []),
  ]
  return bare.length > 0 ? [abroad, `${elsewhere}(?:${bare.join('|')})`] : [abroad]
}

const JSON_NUMBER = /[0-9.eE+-]+/g

/** A text of a JSON document, which stays as it is written where nothing is hidden in it. */
function hiddenText(quoted: string, text: (text: string) => string): string {
  const told: string = JSON.parse(quoted)
  const hidden = text(told)
  return hidden === told ? quoted : JSON.stringify(hidden)
}

/** What stands between the texts of a JSON document, and each text. No regular expression: texts of megabytes are too long for one. */
function* tokensOf(document: string): Generator<{ between: string; quoted: string }> {
  for (let from = 0; from < document.length; ) {
    const open = document.indexOf('"', from)
    if (open < 0) return yield { between: document.slice(from), quoted: '' }
    let close = document.indexOf('"', open + 1)
    while (isEscaped(document, close)) close = document.indexOf('"', close + 1)
    if (close < 0) throw new SyntaxError('A text in the JSON document does not end.')
    yield { between: document.slice(from, open), quoted: document.slice(open, close + 1) }
    from = close + 1
  }
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(document: string, at: number): boolean {
  let before = at - 1
  while (document[before] === '\\') before--
  return (at - before) % 2 === 0
}
