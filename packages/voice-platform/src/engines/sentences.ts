import { SentenceScanner } from './sentence-scanner.js'

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
  // No more than this of a long text is looked at.
  const head = text.slice(0, most + 1)
  const comma = Math.max(head.lastIndexOf(', ', most - 2), head.lastIndexOf('; ', most - 2))
  if (comma >= most / 2) return comma + 1
  const space = head.lastIndexOf(' ')
  if (space > 0) return space
  const splitsPair = /[\uD800-\uDBFF]/.test(head.charAt(most - 1))
  return splitsPair && most > 1 ? most - 1 : most
}
