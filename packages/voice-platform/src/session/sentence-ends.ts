/** Pauses by what the caller's words look like, in seconds. */
const PAUSES = { finished: 0.1, likelyFinished: 0.5, goesOn: 1.2, unfinished: 2, dictates: 2.5 }

/** Words that nobody ends on: they look for the next ones. */
const FILLERS = wordsOf('um umm uh uhm erm er hmm hm mm well so like actually basically')
/** Words that want others after them. */
const LINKS =
  wordsOf(`and or but because cause if when while although though unless until whether than then that which who whose
  a an the this these those my your his her our their its some any every each no
  to of for with at in on from by about into onto over under between through during without within
  i we they he she is are was were am be been being has have had do does did can could will would shall should may might must
  i'm i'd i'll i've we're we'd we'll you're it's that's there's let's very really too quite just maybe not plus`)
/** All that somebody says who has only this to say. */
const WHOLE =
  phrasesOf(`yes|yeah|yep|yup|no|nope|nah|okay|ok|sure|of course|correct|exactly|right|that's right|that's all|that's it|nothing|nothing else
  |thanks|thank you|thank you very much|thanks a lot|no thanks|no thank you|yes please|please do|hello|hi|hey|good morning|good afternoon|good evening
  |bye|bye bye|goodbye|good bye|see you|see you later|talk to you later|have a nice day|you too|never mind|i don't know|not really`)
/** Words that end a call or a talk, whatever came before. */
const FAREWELL =
  /\b(?:bye|goodbye|see you(?: later| then)?|talk to you later|have a (?:nice|good|great) (?:day|evening|one))$/
const DIGIT_WORDS = wordsOf('zero oh one two three four five six seven eight nine double triple hundred')
const SPEAKS_OF_NUMBER =
  /\b(?:number|phone|mobile|cell|code|zip|postcode|account|card|extension|order|reference|policy|area)\b/
const SPEAKS_OF_MAIL = /\be-?mail\b/
const WRITTEN_MAIL = /\S@\S+\.\p{L}{2,}$/u
const SPOKEN_MAIL = /\bat\b.*\bdot (?:com|net|org|io|co|edu|gov|info|uk|us|de|fr|eu|ca|au)$/
/** Characters that are read: the end of what was said. */
const MOST_READ = 300
/** Digits of a whole telephone number, where its country is not known. */
const WHOLE_NUMBER = 10

/**
 * Seconds of silence after which these words are over, by what they look like; undefined where they look like nothing. For English: a few
 * rules, and no model. A sentence that wants more words, a filler and a number or address that is being dictated get more time. A
 * question, a yes or no and a goodbye get less.
 */
export function sentenceEndSeconds(words: string): number | undefined {
  const text = words.trim().slice(-MOST_READ).toLowerCase().replaceAll('’', "'")
  const bare = text.replace(/[^\p{L}\p{N}'@.\s-]/gu, '').replace(/\.+(?=\s|$)/g, '')
  const spoken = bare.split(/\s+/).filter((word) => word !== '')
  const last = spoken.at(-1)
  if (last === undefined) return undefined
  if (text.endsWith('?')) return PAUSES.finished
  const dictated = dictation(spoken.join(' '), spoken)
  if (dictated !== undefined) return dictated
  if (WHOLE.has(spoken.join(' ')) || FAREWELL.test(spoken.join(' '))) return PAUSES.finished
  if (FILLERS.has(last) || /(?:,|-|…|\.\.\.|:)$/.test(text)) return PAUSES.unfinished
  if (LINKS.has(last)) return /[.!]$/.test(text) ? PAUSES.goesOn : PAUSES.unfinished
  return undefined
}

/** The pause of a number or an address that is being said, piece by piece. */
function dictation(bare: string, spoken: readonly string[]): number | undefined {
  const isDigits = (word: string) => /^[\d-]+$/.test(word) || DIGIT_WORDS.has(word)
  const run = spoken.slice(spoken.findLastIndex((word) => !isDigits(word)) + 1)
  const digits = run.reduce((sum, word) => sum + (/\d/.test(word) ? word.replace(/\D/g, '').length : 1), 0)
  if (WRITTEN_MAIL.test(bare) || SPOKEN_MAIL.test(bare)) return PAUSES.likelyFinished
  if (
    SPEAKS_OF_MAIL.test(bare) &&
    /\b(?:is|it's|at|dot|underscore|dash|hyphen)$|\b(?:is|at|dot)\s\S+$/.test(bare)
  )
    return PAUSES.dictates
  if (digits >= WHOLE_NUMBER) return PAUSES.likelyFinished
  if (digits >= 3 || (digits > 0 && SPEAKS_OF_NUMBER.test(bare))) return PAUSES.dictates
  if (SPEAKS_OF_NUMBER.test(bare) && /\b(?:is|it's)$/.test(bare)) return PAUSES.dictates
  return undefined
}

/** The longest pause that these rules ask for, in seconds. */
export const LONGEST_SENTENCE_END = Math.max(...Object.values(PAUSES))

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

function phrasesOf(text: string): ReadonlySet<string> {
  return new Set(text.split('|').map((phrase) => phrase.trim()))
}
