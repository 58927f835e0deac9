import { cutLongText, placeToCut, SentenceScanner } from '../engines/sentences.js'

/** Shortest first chunk. It should come early, but a lone `Hi.` would leave a gap after it. */
const FIRST_CHARACTERS = 6
/** Shortest chunk after that. */
const FEWEST_CHARACTERS = 12
/** Longest chunk: a text without any full stop is cut here. */
const MOST_CHARACTERS = 240

/** Cuts the pieces of a reply into chunks for the voice. A chunk is given as soon as it is complete: a sentence, where there is one. */
export async function* chunkSentences(
  pieces: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  const scanner = new SentenceScanner()
  /** The text that has not been given yet, and where it begins in the whole text. */
  let rest = ''
  let start = 0
  let fewest = FIRST_CHARACTERS
  const takeUntil = (end: number): string[] => {
    const chunk = rest.slice(0, end)
    rest = rest.slice(end)
    start += end
    fewest = FEWEST_CHARACTERS
    return cutLongText(chunk, MOST_CHARACTERS)
  }
  for await (const piece of pieces) {
    rest += piece
    for (const end of scanner.read(piece)) {
      // A cut may already have given the end of this sentence.
      const length = Math.max(0, end - start)
      if (rest.slice(0, length).trim().length >= fewest) yield* takeUntil(length)
    }
    while (rest.length > MOST_CHARACTERS) yield* takeUntil(placeToCut(rest, MOST_CHARACTERS))
  }
  yield* cutLongText(rest, MOST_CHARACTERS)
}
