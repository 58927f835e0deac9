import { isPhrase, plainLetters } from './plain-letters.js'
import { placeToCut } from './sentences.js'

/** What one character weighs, in characters of ordinary English. */
const WEIGHTS = {
  /** Of a number that is read digit by digit, or has three digits at most. */
  digit: 6,
  /** `777,777` is read with thousands and hundreds. */
  digitOfThousands: 10,
  symbol: 8,
  slash: 9,
  /** `.` in `4.50` and `example.com`, and the minus of `-5`. */
  point: 4,
  letterByItself: 4,
  /** Three syllables. */
  w: 6.5,
  /** `CA` is said as California, `se` as south east. */
  abbreviated: 6,
  /** Of a word with a run of vowels or mixed capitals. */
  drawled: 2.5,
  /** Of three capitals with a vowel, and of Roman numerals. */
  acronym: 2,
  /** The pause behind each word of `yes, no, yes, no`. */
  pause: 5,
  /** Letters of the longest phrase that is one character (ﷺ). */
  phrase: 18,
}

/** Digits of the longest number that is read with thousands and hundreds. What is longer is read digit by digit. */
const MOST_OF_NUMBER = 12
/** The longest word whose pause weighs more than the mark, with the mark. */
const SHORT_WORD = 8

const WORD = /\S+\s*|\s+/g
const TOKEN = /\d(?:[\d,]*\d)?(?:(?:st|nd|rd|th)\b)?|[a-z]+(?:'[a-z]+)*|(\.(?=[a-z\d])|-(?=\d))|[\s\S]/giu
const SYMBOL = /[%&@+=_°]|\p{Sc}/u
/** Consonants with which an English word begins, and with which it ends. What has others is spelled letter by letter. */
const ONSET =
  /^(?:|[b-df-hj-np-tv-z]|[bcfgkps]l|[bcdfgkpt]r|[cgkpstw]h|[dgkst]w|chr|chl|shr|shl|phr|phl|thr|thw|gn|kn|mn|pn|ps|pt|rh|wr|sch[lmnrw]?|s[ckmnpqtv]|s[cpt]r|spl|sph|scl|ts|ll|mc|my|qu)$/
const CODA =
  /^(?:|(?:r|l|n|m|s|w|f|p|c|x|g)?(?:[bcdfgklmnpstvxz]|ch|tch|sh|th|ph|ck|gh|ght|dth|gth|pt|ct|st|sk|sp|ft|ff|ll|ss|zz|dd|tt|gg|bb|rr|nn|r|h|w|q|j|thm)(?:s|t|d)?)$/
const VOWEL = /[aeiouy]/
/** Two capitals that are read as a word. */
const SHORT_WORDS = /^(?:A[MNST]|B[EY]|DO|GO|HE|I[FNST]|M[EY]|NO|O[FHNR]|SO|TO|U[PS]|WE)$/

/**
 * How long a text will sound, as the number of characters of ordinary English that sound as long (some 60 ms each): letters, spaces and
 * plain marks weigh 1; a digit 6 to 10; money signs and other symbols that are said as words 8; letters that are spelled, since no English
 * word has them in that order, 4, and a W 6.5. Never less than the text's length. Words weigh the same in any text, so the sum of two texts'
 * weights is the weight of both, up to a pause.
 *
 * Found with flite: some 350 kinds of texts were spoken, and their seconds divided by those of English. English and what sounds longest are
 * within a factor of two. Some short texts weigh more than they sound; one that looks like English here and not to flite may sound four
 * times as long.
 *
 * A text that weighs more than `most` is weighed until that is certain: the result is then any weight above `most`. A longer one is not
 * looked at.
 */
export function spokenWeight(text: string, most = Number.POSITIVE_INFINITY): number {
  if (text.length > most) return text.length
  let weight = 0
  for (const token of tokensOf(plainLetters(text))) {
    weight += token.weight
    if (weight > most) break
  }
  return Math.max(text.length, weight)
}

/** Cuts a text as `cutLongText` does, into pieces that weigh at most `most`. English is cut where `cutLongText` cuts it. */
export function cutLongSpeech(text: string, most: number): string[] {
  const pieces: string[] = []
  let rest = text.trim()
  while (spokenWeight(rest, most) > most) {
    // Only this much of a long text is looked at, so that each character is weighed a few times at most.
    let within = charactersWithin(rest.slice(0, 2 * most), most)
    let end = placeToCut(rest, within)
    // Half a word may be spelled where the whole one is read.
    while (within > 1 && spokenWeight(rest.slice(0, end).trim(), most) > most) {
      within = Math.floor(within * 0.75)
      end = placeToCut(rest, within)
    }
    pieces.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trimStart()
  }
  if (rest !== '') pieces.push(rest)
  return pieces
}

interface Token {
  characters: number
  weight: number
}

/** How many characters at the text's beginning weigh at most `most`; one at least. */
function charactersWithin(text: string, most: number): number {
  let characters = 0
  let left = most
  for (const token of tokensOf(text)) {
    if (token.weight > left) {
      const some = Math.floor((left * token.characters) / token.weight)
      return Math.max(1, characters + some)
    }
    characters += token.characters
    left -= token.weight
  }
  return Math.max(1, characters)
}

function* tokensOf(text: string): Generator<Token> {
  let isBehindPause = false
  for (const [word] of text.matchAll(WORD)) {
    const written = word.trimEnd()
    const isPause = /[,;:.!?]/.test(written.slice(-3))
    for (const [token, point] of word.matchAll(TOKEN))
      yield { characters: token.length, weight: point ? WEIGHTS.point : weightOf(token) }
    if (isPause && isBehindPause && written.length <= SHORT_WORD)
      yield { characters: 0, weight: WEIGHTS.pause }
    isBehindPause = isPause
  }
}

function weightOf(token: string): number {
  if (/^\d/.test(token)) return weightOfNumber(token)
  if (/^[a-z]/i.test(token)) return weightOfWord(token)
  if (token === '/') return WEIGHTS.slash
  if (SYMBOL.test(token)) return WEIGHTS.symbol
  if (isPhrase(token)) return WEIGHTS.phrase
  return token.length
}

function weightOfNumber(token: string): number {
  const digits = token.replace(/\D/g, '').length
  const others = token.length - digits
  if (digits <= 3) return WEIGHTS.digit * digits + others
  const ofThousands = Math.min(digits, MOST_OF_NUMBER)
  return WEIGHTS.digitOfThousands * ofThousands + WEIGHTS.digit * (digits - ofThousands) + others
}

function weightOfWord(token: string): number {
  if (/^(?:[A-Z]{2}|[ns][ew])$/.test(token) && !SHORT_WORDS.test(token)) return 2 * WEIGHTS.abbreviated
  const word = token.toLowerCase().replace(/n't$/, 'n').replaceAll("'", '')
  if (isSpelled(word)) {
    const ws = word.replace(/[^w]/g, '').length
    return WEIGHTS.w * ws + WEIGHTS.letterByItself * (token.length - ws)
  }
  if (/[aeiou]{5}|yy/.test(word) || (token.match(/[a-z][A-Z]/g)?.length ?? 0) > 1)
    return WEIGHTS.drawled * token.length
  return /^(?:[A-Z]{3}|[IVXLC]{3,})$/.test(token) ? WEIGHTS.acronym * token.length : token.length
}

function isSpelled(word: string): boolean {
  if (word.length === 1) return word !== 'a' && word !== 'i'
  const first = word.search(VOWEL)
  if (first < 0) return true
  let end = word.length
  while (!VOWEL.test(word.charAt(end - 1))) end -= 1
  return !ONSET.test(word.slice(0, first)) || !CODA.test(word.slice(end))
}
