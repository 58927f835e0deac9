import { RIGHT_TO_LEFT } from '../../document/right-to-left.js'

/** A heading as it is drawn. */
export interface Heading {
  lines: string[]
  /** Font size in px. */
  size: number
}

/** The width of a text in em: that of its characters together. */
export type WidthOf = (text: string) => number

interface Word {
  text: string
  /** What stands between it and the word before it on the same line. */
  glue: '' | ' '
  /** In em, of the text and of the glue. */
  width: number
  gap: number
}

/** Lines and font sizes in px, the preferred ones first: fewer lines before larger type. */
const STEPS: readonly (readonly [lines: number, size: number])[] = [
  ...[112, 104, 96, 88, 80].map((size) => [1, size] as const),
  ...[96, 88, 80, 72].map((size) => [2, size] as const),
  ...[76, 68, 60, 54].map((size) => [3, size] as const),
]
const MOST_LINES = 3
const SMALLEST = 54
/** Distance of baselines, in em. */
export const LINE_HEIGHT = 1.12

/** Chinese and Japanese have no spaces: a line may break at every character. */
const BREAKABLE = /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])(?=[\p{L}\p{N}])/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Sets a text as large as it fits into `width` px; words are cut, and the end is left out, only when they must be.
 */
export function headingOf(text: string, width: number, widthOf: WidthOf): Heading {
  const words = wordsOf(text, widthOf)
  for (const [count, size] of STEPS) {
    const most = width / size
    if (words.some((word) => word.width > most)) continue
    if (wrap(words, most).length <= count) return { lines: balanced(words, most), size }
  }
  const most = width / SMALLEST
  const cut = words.flatMap((word) => pieces(word, most, widthOf))
  const lines = wrap(cut, most)
  if (lines.length <= MOST_LINES) return { lines, size: SMALLEST }
  const kept = lines.slice(0, MOST_LINES)
  return { lines: [...kept.slice(0, -1), shortened(kept.at(-1) ?? '', most, widthOf)], size: SMALLEST }
}

/** A short text on as few lines as it takes, of about the same length. `width` is in em. */
export function linesOf(text: string, width: number, widthOf: WidthOf): string[] {
  return balanced(wordsOf(text, widthOf), width)
}

function wordsOf(text: string, widthOf: WidthOf): Word[] {
  return text
    .split(' ')
    .flatMap((word) =>
      word.split(BREAKABLE).map((part, place) => wordOf(part, place === 0 ? ' ' : '', widthOf)),
    )
}

const wordOf = (text: string, glue: Word['glue'], widthOf: WidthOf): Word => ({
  text,
  glue,
  width: widthOf(text),
  gap: widthOf(glue),
})

/** Fills lines one after the other. */
function wrap(words: readonly Word[], most: number): string[] {
  const lines: string[] = []
  let line = ''
  let filled = 0
  for (const { text, glue, width, gap } of words) {
    if (line !== '' && filled + gap + width <= most) {
      line += glue + text
      filled += gap + width
    } else {
      if (line !== '') lines.push(line)
      line = text
      filled = width
    }
  }
  return [...lines, line]
}

/** As few lines as it takes, of about the same length. */
function balanced(words: readonly Word[], most: number): string[] {
  const count = wrap(words, most).length
  let low = Math.max(...words.map((word) => word.width))
  let high = most
  // A hundredth of an em is finer than anybody sees.
  while (high - low > 0.01) {
    const middle = (low + high) / 2
    if (wrap(words, middle).length <= count) high = middle
    else low = middle
  }
  return wrap(words, high)
}

/** A word that is wider than a line, cut between its letters. */
function pieces(word: Word, most: number, widthOf: WidthOf): Word[] {
  if (word.width <= most) return [word]
  const cut: string[] = []
  let piece = ''
  let filled = 0
  for (const { segment } of graphemes.segment(word.text)) {
    const width = widthOf(segment)
    if (piece !== '' && filled + width > most) {
      cut.push(piece)
      piece = ''
      filled = 0
    }
    piece += segment
    filled += width
  }
  return [...cut, piece].map((text, place) => wordOf(text, place === 0 ? word.glue : '', widthOf))
}

/** A line that ends in an ellipsis, which a mark of direction keeps beside right-to-left letters. */
function shortened(line: string, width: number, widthOf: WidthOf): string {
  const letters = [...graphemes.segment(line)].map(({ segment }) => segment)
  while (letters.length > 1 && widthOf(`${letters.join('')}…`) > width) letters.pop()
  const text = letters.join('').replace(/[\s,]+$/u, '')
  const last = [...text].findLast((letter) => /\p{L}/u.test(letter)) ?? ''
  return `${text}…${RIGHT_TO_LEFT.test(last) ? '\u200f' : ''}`
}
