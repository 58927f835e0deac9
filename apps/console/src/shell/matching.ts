/** The entries that have a word beginning with each word of the text; all for no text. */
export function matching<Entry extends { label: string }>(entries: readonly Entry[], text: string): Entry[] {
  const wanted = wordsOf(text)
  return entries.filter(({ label }) => {
    const words = wordsOf(label)
    return wanted.every((begin) => words.some((word) => word.startsWith(begin)))
  })
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)
