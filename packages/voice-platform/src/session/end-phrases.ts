/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

/**
 * Makes a test for these phrases: does a text hold one of them? Whole words count; case and punctuation do not. 'good-bye' is in
 * 'Good bye!', and 'ok' is not in 'book'.
 */
export function endPhrases(phrases: readonly string[]): (said: string) => boolean {
  const wanted = phrases
    .map(words)
    .filter((phrase) => phrase !== '')
    .map((phrase) => (UNSPACED.test(phrase) ? phrase : ` ${phrase} `))
  return (said) => {
    const spaced = ` ${words(said)} `
    return wanted.some((phrase) => spaced.includes(phrase))
  }
}

const words = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
