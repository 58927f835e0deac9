import { cutLongText, endOfSentence, placeToCut } from '../engines/sentences.js'

/** Shortest first chunk: early, but not a lone `Hi.` that would leave a gap. */
const FIRST_CHARACTERS = 6
/** Shortest chunk after that. */
const FEWEST_CHARACTERS = 12
/** Longest chunk: a text without any full stop is cut here. */
const MOST_CHARACTERS = 240

/** Turns the pieces of a reply into chunks that can be spoken, each as soon as it is complete: whole sentences where there are any. */
export async function* chunkSentences(
  pieces: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  let text = ''
  let fewest = FIRST_CHARACTERS
  for await (const piece of pieces) {
    text += piece
    for (let end = endOfChunk(text, fewest); end > 0; end = endOfChunk(text, fewest)) {
      yield* cutLongText(text.slice(0, end), MOST_CHARACTERS)
      text = text.slice(end)
      fewest = FEWEST_CHARACTERS
    }
  }
  yield* cutLongText(text, MOST_CHARACTERS)
}

/** Where the first speakable chunk ends; 0 while more text is needed. */
function endOfChunk(text: string, fewest: number): number {
  let end = 0
  while (text.slice(0, end).trim().length < fewest) {
    const next = endOfSentence(text.slice(end))
    if (next < 0) return text.length > MOST_CHARACTERS ? placeToCut(text, MOST_CHARACTERS) : 0
    end += next
  }
  return end
}
