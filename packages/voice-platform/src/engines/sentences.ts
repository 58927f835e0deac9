/** The sentences of a whole text, trimmed, without empty ones. */
export function sentencesOf(text: string): string[] {
  const ends = new SentenceScanner().read(text)
  return [...ends, text.length]
    .map((end, index) => text.slice(ends[index - 1] ?? 0, end).trim())
    .filter((sentence) => sentence !== '')
}

/**
 * Cuts a text into pieces of at most `most` characters: behind a comma or a semicolon if there is one in the second half,
 * else at a space, else anywhere (but never inside a surrogate pair).
 */
export function cutLongText(text: string, most: number): string[] {
  const pieces: string[] = []
  let rest = text.trim()
  while (rest.length > most) {
    const end = placeToCut(rest, most)
    pieces.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trimStart()
  }
  if (rest !== '') pieces.push(rest)
  return pieces
}

/** Where to cut a text that is longer than `most`: see `cutLongText`. */
export function placeToCut(text: string, most: number): number {
  // Only this much of a long text is looked at.
  const head = text.slice(0, most + 1)
  const comma = Math.max(head.lastIndexOf(', ', most - 2), head.lastIndexOf('; ', most - 2))
  if (comma >= most / 2) return comma + 1
  const space = head.lastIndexOf(' ')
  if (space > 0) return space
  const splitsPair = /[\uD800-\uDBFF]/.test(head.charAt(most - 1))
  return splitsPair && most > 1 ? most - 1 : most
}

/** Words whose full stop does not end a sentence. */
const ABBREVIATIONS = new Set(
  'mr mrs ms dr prof st no vs etc inc ltd co corp dept ext approx e.g i.e a.m p.m u.s u.k'.split(' '),
)

/** Characters kept of a word. A longer one is no abbreviation, initial or number. */
const LONGEST_WORD = 32

const SPACE = /\s/
const MARK = /[.!?…]/
const CLOSER = /["'”’)\]]/
/** Marks of East Asian scripts. These write no spaces, so the mark alone ends a sentence. */
const WIDE_MARK = /[。！？]/
const WIDE_CLOSER = /[」』）”’]/

/** What comes right before the next character. `space` follows marks: only the next word tells whether they end a sentence. */
type Place = 'text' | 'marks' | 'closers' | 'space' | 'wide-marks' | 'wide-closers'

/**
 * Finds the ends of sentences in a text that comes in pieces. A sentence ends
 * - behind its last mark and closing quotes, once a space and the next word follow;
 * - behind a mark of East Asian scripts;
 * - at the end of a line.
 *
 * A full stop after an abbreviation, an initial or the number of a list does not end it. The scanner reads each character once and keeps
 * one short word, so its work grows with the length of the text alone.
 */
export class SentenceScanner {
  #place: Place = 'text'
  /** Characters read since the beginning of the text. */
  #at = 0
  #isBlank = true
  /** The current word, and whether it is the first of its sentence. */
  #word = ''
  #isFirstWord = true
  /** Where the current marks would end the sentence. If they are one full stop, the word before it. */
  #end = 0
  #stop: { word: string; isFirstWord: boolean } | undefined

  /** The ends that became certain with this piece, in order, each as a number of characters from the beginning of the text. */
  read(piece: string): number[] {
    const ends: number[] = []
    for (let index = 0; index < piece.length; index += 1) {
      const character = piece.charAt(index)
      if (this.#endsBefore(character, piece, index)) ends.push(this.#begin(this.#end))
      if (character === '\n' && !this.#isBlank) ends.push(this.#begin(this.#at + 1))
      else this.#take(character)
      this.#at += 1
    }
    // Nobody needs to wait for the word after a wide mark.
    if (this.#isWide) ends.push(this.#begin(this.#end))
    return ends
  }

  get #isWide(): boolean {
    return this.#place === 'wide-marks' || this.#place === 'wide-closers'
  }

  #endsBefore(character: string, piece: string, index: number): boolean {
    if (this.#place === 'wide-marks' && WIDE_MARK.test(character)) return false
    if (this.#isWide) return !WIDE_CLOSER.test(character)
    if (this.#place !== 'space' || SPACE.test(character)) return false
    return !this.#stop || isFullStop(this.#stop, String.fromCodePoint(piece.codePointAt(index) ?? 0))
  }

  #take(character: string): void {
    if (SPACE.test(character)) {
      const isPending = this.#place === 'marks' || this.#place === 'closers' || this.#place === 'space'
      this.#place = isPending ? 'space' : 'text'
      this.#word = ''
      this.#isFirstWord &&= this.#isBlank
      return
    }
    const place = this.#placeOf(character)
    if (place === 'marks') {
      const isStop = character === '.' && this.#place !== 'marks'
      this.#stop = isStop ? { word: this.#word, isFirstWord: this.#isFirstWord } : undefined
    } else if (place === 'closers') this.#stop = undefined
    if (place !== 'text') this.#end = this.#at + 1
    this.#place = place
    this.#isBlank = false
    if (this.#word.length <= LONGEST_WORD) this.#word += character
  }

  #placeOf(character: string): Place {
    if (MARK.test(character)) return 'marks'
    if (WIDE_MARK.test(character)) return 'wide-marks'
    if (this.#isWide && WIDE_CLOSER.test(character)) return 'wide-closers'
    const isBehindMarks = this.#place === 'marks' || this.#place === 'closers'
    return isBehindMarks && CLOSER.test(character) ? 'closers' : 'text'
  }

  /** A new sentence begins behind this end. */
  #begin(end: number): number {
    this.#place = 'text'
    this.#isBlank = true
    this.#word = ''
    this.#isFirstWord = true
    this.#stop = undefined
    return end
  }
}

function isFullStop({ word, isFirstWord }: { word: string; isFirstWord: boolean }, next: string): boolean {
  if (/^\p{Ll}$/u.test(next)) return false
  const plain = word.replace(/^["'“‘([]+/u, '')
  if (/^\p{Lu}$/u.test(plain) && plain !== 'I') return false
  if (/^\d{1,2}$/.test(plain) && isFirstWord) return false
  return !ABBREVIATIONS.has(plain.toLowerCase())
}
