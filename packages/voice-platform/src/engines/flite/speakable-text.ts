import { plainLetters } from '../plain-letters.js'
import { sentencesOf } from '../sentences.js'

/** Spoken for a text that flite cannot read at all. Silence would sound like a broken line. */
export const UNSPEAKABLE = 'I am sorry, my voice can only read English letters and numbers.'

const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': ', ',
  '—': ', ',
  '−': '-',
  '‑': '-',
}

/** Symbols with a name, said as words. */
const SYMBOLS: Record<string, string> = {
  '&': 'and',
  '@': 'at',
  '%': 'percent',
  '+': 'plus',
  '=': 'equals',
  '°': 'degrees',
  '€': 'euros',
  '£': 'pounds',
}

const PRICE = /([€£])\s?(\d+(?:[.,]\d+)*)/gu
const RANGE = /(?<=\d)\s?–\s?(?=\d)/gu
/** Lengths of RFC 5321 and RFC 1035. Without these bounds the search for the `@` would begin anew at every dot. */
const EMAIL = /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/gu
const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"')\]]+/giu

/**
 * A text as flite can say it: Latin letters without accents, digits and plain punctuation. Control characters, emoji, other scripts and
 * Markdown are dropped. Addresses lose their scheme, path and query, and are said as `example dot com`. Returns `UNSPEAKABLE` when
 * less than half of the letters is left.
 */
export function speakableText(text: string): string {
  const written = text.replace(/\p{Cf}|[™®©]/gu, '').replace(RANGE, ' to ')
  const latin = plainLetters(written).replace(
    /[^\p{ASCII}]/gu,
    (character) => LETTERS[character] ?? character,
  )
  const words = withSpokenSymbols(withSpokenAddresses(latin.replace(PRICE, '$2 $1')))
  const lines = words.split(/\n/).map(plainLine)
  const sentences = sentencesOf(lines.join('\n')).map(asciiOnly).filter(isSpeakable).map(withEnd)
  const speech = sentences.join(' ')
  return speech === '' || foreignLetters(latin) > letters(speech) ? UNSPEAKABLE : speech
}

const withSpokenAddresses = (text: string) =>
  text
    .replace(EMAIL, (email) =>
      email.replaceAll('@', ' at ').replaceAll('.', ' dot ').replaceAll('_', ' underscore '),
    )
    .replace(ADDRESS, spokenAddress)

function spokenAddress(address: string): string {
  const written = withoutEndMarks(address)
  const host =
    written
      .replace(/^https?:\/\//i, '')
      .replace(/^www\./i, '')
      .split(/[/?#]/)[0] ?? ''
  const spoken = withoutEndMarks(host).replace(/:\d+$/, '').replaceAll('.', ' dot ')
  return spoken + address.slice(written.length)
}

/** Cuts the marks at the end, which belong to the sentence. A loop, because a pattern would search anew at every mark. */
function withoutEndMarks(address: string): string {
  let end = address.length
  while (end > 0 && '.,;:!?'.includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}

const withSpokenSymbols = (text: string) => text.replace(/[&@%+=°€£]/gu, (symbol) => ` ${SYMBOLS[symbol]} `)

/** A line without the marks of Markdown: headings, bullets, emphasis, code, tables, quotes, link targets. */
const plainLine = (line: string) =>
  line
    .replace(/^\s*(?:#+|[-*•>]+)\s+/u, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/gu, '$1')
    .replace(/[*_`#|~<>^\\]+/gu, ' ')

const asciiOnly = (text: string) =>
  text
    .replace(/[^\x20-\x7e]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,!?;:])/g, '')
    .replace(/^[^A-Za-z0-9$"'(]+/, '')
    .trim()

const isSpeakable = (text: string) => /[A-Za-z0-9]/.test(text)

/** flite lowers its voice and pauses only at a marked end of a sentence. */
const withEnd = (sentence: string) => (/[.!?…,;:]["')\]]*$/.test(sentence) ? sentence : `${sentence}.`)

const letters = (text: string) => text.match(/[A-Za-z0-9]/g)?.length ?? 0
const foreignLetters = (text: string) => text.match(/[^\P{L}A-Za-z]/gu)?.length ?? 0
