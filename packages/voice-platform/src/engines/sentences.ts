/** Words whose full stop ends no sentence. */
const ABBREVIATIONS = new Set(
  'mr mrs ms dr prof st no vs etc inc ltd co corp dept ext approx e.g i.e a.m p.m u.s u.k'.split(' '),
)

/** A sentence's last mark with its closing quotes, before a space and the next word; a mark of East Asian scripts; a line's end. */
const END = /[.!?…]+["'”’)\]]*(?=\s+\S)|[。！？]+[」』）”’]*|\n/gu

/**
 * Where the first sentence of a text ends: the index just behind it, or -1 as long as only more text can tell.
 * Serves spoken language; a full stop after an abbreviation, an initial or the number of a list ends nothing.
 */
export function endOfSentence(text: string): number {
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length
    if (text.slice(0, end).trim() === '') continue
    if (match[0] === '.' && !isFullStop(text.slice(0, match.index), text.slice(end).trimStart())) continue
    return end
  }
  return -1
}

/** The sentences of a whole text, trimmed, without empty ones. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let rest = text
  for (let end = endOfSentence(rest); end >= 0; end = endOfSentence(rest)) {
    sentences.push(rest.slice(0, end).trim())
    rest = rest.slice(end)
  }
  if (rest.trim() !== '') sentences.push(rest.trim())
  return sentences
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
    rest = rest.slice(end).trim()
  }
  if (rest !== '') pieces.push(rest)
  return pieces
}

/** Where to cut a text that is longer than `most`: see `cutLongText`. */
export function placeToCut(text: string, most: number): number {
  const comma = Math.max(text.lastIndexOf(', ', most - 2), text.lastIndexOf('; ', most - 2))
  if (comma >= most / 2) return comma + 1
  const space = text.lastIndexOf(' ', most)
  if (space > 0) return space
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(most - 1))
  return splitsPair && most > 1 ? most - 1 : most
}

function isFullStop(before: string, after: string): boolean {
  if (/^\p{Ll}/u.test(after)) return false
  const word = /\S*$/.exec(before)?.[0] ?? ''
  const plain = word.replace(/^["'“‘([]+/u, '')
  if (/^\p{Lu}$/u.test(plain) && plain !== 'I') return false
  if (/^\d{1,2}$/.test(plain) && before.trim() === word) return false
  return !ABBREVIATIONS.has(plain.toLowerCase())
}
