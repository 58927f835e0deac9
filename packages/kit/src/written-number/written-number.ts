import { digitsOfScripts, FILLER, plainText } from './plain-text.js'

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

/** What people and transcribers write between two digits: up to five signs, no letters. */
const BETWEEN = signs('', 5)
/** Less where there are few digits: times, sums and shares are written with the rest. */
const BETWEEN_FEW = signs('$:%=+', 3)
/** What stands between two parts of one number. */
const APART = `[ ./()_${FILLER}-]{0,3}`
const CLOSELY_APART = '(?:\\)?[ ./_-]|\\))'

/** The fillers belong to the characters before them. */
function signs(not: string, most: number): string {
  return `${FILLER}?(?:[^0-9A-Za-z${FILLER}${not}]${FILLER}?){0,${most}}`
}
const spelled = (digits: string, between = BETWEEN): string => [...digits].join(between)

/** A parenthesis or bracket around the first digits. */
const OPEN = '(?:[(\\[](?=\\+?[0-9]{1,5}[)\\]]))?'

/** Not within a longer run of digits. */
const whole = (spellings: readonly string[]): string =>
  `(?<![0-9]${FILLER}?)${OPEN}(?:${spellings.join('|')})(?![0-9])${FILLER}?`

/** A date or a time as ISO 8601 has it, which is no number unless more stands before it. */
const DATE = '[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])'
const TIME = '[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?'
const MOMENT = `(?<![0-9])${DATE}(?![0-9])(?:[T ]${TIME}(?![0-9]))?`

/**
 * The number in E.164, with 00, 011 or another prefix for the plus, with the calling code alone, with the trunk's digits and as a national
 * number; in digits of any script, with up to five signs that are no letters between two. A national number of fewer than nine digits: with up
 * to three, and no colon. The same national digits behind another country's code, or as the end of a longer number, are another number.
 */
export function writtenNumber({ callingCode, national, trunk }: NumberParts): WrittenNumber {
  const found = new RegExp(`${MOMENT}|(${whole(spellingsOf({ callingCode, national, trunk }))})`, 'g')
  const text = (given: string) => {
    const { decimal, decorated } = digitsOfScripts()
    const left = withoutFound(given, plainText(given, decimal), found)
    // Such a digit may be a footnote's, too, just behind the number.
    return /\p{No}/u.test(left)
      ? withoutFound(left, plainText(left, new Map([...decimal, ...decorated])), found)
      : left
  }
  const bare = [national, `${callingCode}${national}`].filter(({ length }) => length >= LEAST_BARE_DIGITS)
  return {
    likely: likelySpelled(national),
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

/** What is found in the plain text, taken out of the text that it stands for. */
function withoutFound(text: string, plain: string, found: RegExp): string {
  const left: string[] = []
  let from = 0
  for (const { 0: whole, 1: number, index } of plain.matchAll(found)) {
    if (number === undefined) continue
    left.push(text.slice(from, index), HIDDEN_NUMBER)
    from = index + whole.length
  }
  return from === 0 ? text : left.join('') + text.slice(from)
}

function spellingsOf({ callingCode, national, trunk = '' }: NumberParts): string[] {
  const digits = spelled(national)
  const code = callingCode === '' ? '' : `${spelled(callingCode)}${BETWEEN}`
  const abroad = `(?:\\+|00|001|0011|011|010)${BETWEEN}${code}(?:0${BETWEEN})?${digits}`
  // "+41 4155552671" is a number of Switzerland's, and "+49 30 4155552671" one of Berlin's.
  const elsewhere = `(?=[0-9])(?<!(?:\\+|(?<![0-9:.,])(?:00|011))(?:[0-9]{1,4}${APART}(?:[0-9]{1,5}${APART})?)?)`
  const bare = [
    ...(national.length >= LEAST_DIGITS ? inItsCountry(national, trunk) : []),
    ...(code !== '' && callingCode.length + national.length >= LEAST_DIGITS ? [`${code}${digits}`] : []),
  ]
  return bare.length > 0 ? [abroad, `${elsewhere}(?:${bare.join('|')})`] : [abroad]
}

/** As a national number, and with the trunk. */
function inItsCountry(national: string, trunk: string): string[] {
  const isShort = national.length < LEAST_BARE_DIGITS
  const between = isShort ? BETWEEN_FEW : BETWEEN
  const digits = spelled(national, between)
  // "415 555-1234" is no number of Iceland's. A date or a time before the number is no part of it.
  const alone = isShort ? `(?<!(?<![0-9:]|[0-9]{4}-[0-9]{2}-)[0-9]{2,5}${CLOSELY_APART})` : ''
  return [
    `${alone}${digits}`,
    ...(trunk === '' ? [] : [`${alone}${spelled(trunk, between)}${between}${digits}`]),
  ]
}

/** For Postgres: the digits in any script, with what may be a sign between them. JSON escapes some signs, with letters. */
function likelySpelled(national: string): string {
  const { decimal, decorated } = digitsOfScripts()
  const all = [...decimal, ...decorated]
  const spellings = [...national].map(
    (digit) => `[${digit}${all.flatMap(([character, is]) => (is === digit ? [character] : [])).join('')}]`,
  )
  return spellings.join('(?:\\\\["\\\\/nrtbf]|\\\\u[0-9a-fA-F]{4}|[^0-9A-Za-z]){0,5}')
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
