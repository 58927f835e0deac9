import { usualForms } from '../plain-letters.js'

/** Words that do not tell what a sentence is about. */
const COMMON = new Set(
  (
    'a about am an and any are as at be been but by can could did do does for from get give got had has have he hello her ' +
    'hey hi his how i if in is it its just know like let may me my need no not of on or our please say she should so some ' +
    'tell than thank thanks that the their them then there these they this those to us want was we were what when where ' +
    'which who why will with would yes you your'
  ).split(' '),
)

/** The words that tell what a text is about, in lower case, without the endings of plural and tense. */
export function keywordsOf(text: string): Set<string> {
  return new Set(meantWords(text).map(stem))
}

/** The same as they are written, in their order. */
export function meantWords(text: string): string[] {
  const words = usualForms(text.toLowerCase(), 'NFKC').match(/[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? []
  return words.filter((word) => !COMMON.has(word))
}

/** How much each text shares with what was asked. A word counts more if fewer texts have it. */
export function overlaps(asked: ReadonlySet<string>, texts: readonly ReadonlySet<string>[]): number[] {
  const holders = new Map<string, number>()
  const shared = texts.map((words) => [...words].filter((word) => asked.has(word)))
  for (const word of shared.flat()) holders.set(word, (holders.get(word) ?? 0) + 1)
  const weight = (word: string) => Math.log(1 + texts.length / (holders.get(word) ?? 1))
  return shared.map((words) => words.reduce((score, word) => score + weight(word), 0))
}

function stem(word: string): string {
  const plain = word.replace(/'s$/, '')
  if (plain.length > 5 && plain.endsWith('ing')) return plain.slice(0, -3)
  if (plain.length > 4 && plain.endsWith('ies')) return `${plain.slice(0, -3)}y`
  if (plain.length > 4 && plain.endsWith('ed')) return plain.slice(0, -2)
  if (plain.length > 3 && plain.endsWith('s') && !plain.endsWith('ss')) return plain.slice(0, -1)
  return plain
}
