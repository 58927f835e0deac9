/** Length of a spoken word where the length of its sentence is not known: 150 words a minute. */
const WORD_MS = 400

export interface SpokenSentence {
  text: string
  /** Milliseconds of its speech that were sent. */
  sentMs: number
  /** All of its speech was sent. */
  isWhole: boolean
}

/** The words of a sentence that were heard in its first `heardMs` of speech, as if all words took the same time. */
export function heardWords({ text, sentMs, isWhole }: SpokenSentence, heardMs: number): string {
  const words = text.split(/\s+/)
  const lengthMs = isWhole ? sentMs : Math.max(sentMs, words.length * WORD_MS)
  if (lengthMs <= 0 || heardMs <= 0) return ''
  return words.slice(0, Math.floor((heardMs / lengthMs) * words.length)).join(' ')
}
