/** The languages whose stems Postgres knows here, and words that stand in nearly every text of each. */
const WORDS = {
  english: 'the and of to in is that for with are on you',
  german: 'der die und das ist nicht ein eine mit auf für von den',
  french: 'le la les et est une des pour dans vous que sur du',
  spanish: 'el los las y es una para con por que del en su',
  italian: 'il di che è una per con non della sono gli le',
  portuguese: 'o os as e é uma para com não que do da em',
  dutch: 'de het een en van is niet met voor op dat zijn',
} as const

export type Language = keyof typeof WORDS

const KNOWN = Object.entries(WORDS).map(([language, words]) => ({
  language: language as Language,
  words: new Set<string>(words.split(' ')),
}))

/** So much of a text tells its language, in characters. */
const LOOKED_AT = 20_000
/** Fewer of such words say nothing. */
const LEAST_FOUND = 5

/** A cheap guess: of which language a text has the most common words. English where it has too few. */
export function languageOf(text: string): Language {
  const found =
    text
      .slice(0, LOOKED_AT)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  let best: Language = 'english'
  let most = LEAST_FOUND - 1
  for (const { language, words } of KNOWN) {
    const count = found.filter((word) => words.has(word)).length
    if (count > most) {
      most = count
      best = language
    }
  }
  return best
}
