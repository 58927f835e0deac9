import { sentencesOf } from '../sentences.js'

/** How orders to the assistant begin. They are not meant for the caller. */
const ORDER =
  /^(you|your|be|keep|do|don't|never|always|answer|ask|speak|use|if|when|please|avoid|make|try|greet|offer|help|tell|say|respond|reply|remember|only|confirm|collect|act|role|goal|style|tone|rules?|instructions?|personality)\b/i
/** Says who the assistant is: the one order that is also a fact. */
const IDENTITY = /^(?:[Yy]ou are|[Yy]ou're)\s+((?:(?:an?|the|our)\s|\p{Lu}).+)$/u
const ABOUT_THE_ASSISTANT = /\b(you|your|yours|yourself|the (caller|user|customer)s?)\b/i

/**
 * The sentences of a system prompt that can be said to a caller: facts, not orders. Headings and placeholders are left out.
 * `You are Ava, the receptionist.` becomes `I am Ava, the receptionist.`
 * The work grows with the length of the prompt alone, as a call may bring 100,000 characters.
 */
export function factsOf(prompt: string): string[] {
  const facts = prompt
    .split('\n')
    .map((line) => line.replace(/^\s*(?:#.*|[-*•]+\s+|\d+[.)]\s+)/u, '').replace(/[*_`]/g, ''))
    .flatMap(sentencesOf)
    .map(asFact)
    .filter((fact) => fact !== undefined)
  return [...new Set(facts)]
}

function asFact(sentence: string): string | undefined {
  if (/[:{}<>]\s*$|\{\{|\[/.test(sentence) || !hasTwoWords(sentence)) return undefined
  const identity = IDENTITY.exec(sentence)?.[1]
  if (identity !== undefined)
    return ABOUT_THE_ASSISTANT.test(identity) ? undefined : ended(`I am ${identity}`)
  if (ORDER.test(sentence) || ABOUT_THE_ASSISTANT.test(sentence)) return undefined
  return ended(sentence)
}

const hasTwoWords = (sentence: string) =>
  sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length >= 2

const ended = (sentence: string) => (/[.!?…]["'”’)\]]*$/u.test(sentence) ? sentence : `${sentence}.`)
