import { meantWords } from '../engines/offline/keywords.js'

/** So much of what a caller says is looked at, in characters: the end of it, where the question is. */
const MOST_CHARACTERS = 1_000
/** Most words that are looked for. */
const MOST_WORDS = 12
/** A longer word is no word. */
const LONGEST_WORD = 40

/** The words that a caller's question is looked up by. None where it has only words that stand everywhere. */
export function questionWords(question: string): string[] {
  const words = meantWords(question.slice(-MOST_CHARACTERS)).filter((word) => word.length <= LONGEST_WORD)
  return [...new Set(words)].slice(0, MOST_WORDS)
}
