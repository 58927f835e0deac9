/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

/**
 * Finds out whether something that was said holds one of these phrases: whole words, in whatever case and with whatever
 * punctuation, so that 'good-bye' is in 'Good bye!' and 'ok' is not in 'book'.
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
