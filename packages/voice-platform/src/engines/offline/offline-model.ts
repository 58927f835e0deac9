import type { Model, ModelMessage } from '../engine.js'
import { isUnheardSpeech } from '../engine.js'
import { keywordsOf, overlaps } from './keywords.js'
import { factsOf } from './prompt-facts.js'

/** Its reply to the first speech whose words are not known. A voice may prepare it. */
export const FIRST_OFFLINE_REPLY =
  'I can hear that you are speaking, but without a transcriber I cannot tell what you say.'

const UNHEARD = [
  FIRST_OFFLINE_REPLY,
  'I heard you again, though I still cannot make out the words.',
  'You spoke, and I am sorry that I cannot understand it on this machine.',
]
const OFFERS = [
  'Here is something I do know.',
  'What I can tell you is this.',
  'Let me tell you something else.',
]
const NO_FACTS = 'My instructions hold nothing that I could tell you instead.'
const NO_ANSWER = 'I have no answer to that.'
const GREETING = 'Hello! What would you like to know?'
const GOODBYE = 'Thank you for calling. Goodbye!'
const WELCOME = 'You are welcome. Is there anything else you would like to know?'
const NOTHING_SAID = 'I have not said anything yet.'

/** Its name. It follows no instructions, so nothing is concluded with it. */
export const OFFLINE_MODEL = 'offline model'

/** Words of a token, roughly: how `maxTokens` is kept. */
const WORDS_PER_TOKEN = 0.75
/** Most sentences of one answer. */
const MOST_SENTENCES = 2
/** A greeting or a thank-you of more words than this is about something else. */
const SHORT_WORDS = 6

/**
 * A small deterministic model that needs no download. It answers with those sentences of the assistant's prompt that share words with
 * the caller's, and knows greeting, goodbye, thanks and 'say that again'. It invents nothing. Without a match, or without words
 * (`unheardSpeech`), it says so and offers a fact of the prompt, another one each turn. English only.
 */
export function createOfflineModel(): Model {
  return {
    name: OFFLINE_MODEL,
    async *reply(messages, { signal, maxTokens = 250 }) {
      signal.throwIfAborted()
      let words = Math.max(1, Math.floor(maxTokens * WORDS_PER_TOKEN))
      for (const sentence of answer(messages)) {
        const kept = sentence.split(/\s+/).slice(0, words)
        words -= kept.length
        yield `${kept.join(' ')} `
        if (words === 0) return
        signal.throwIfAborted()
      }
    },
  }
}

function answer(messages: readonly ModelMessage[]): string[] {
  const prompt = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const facts = factsOf(prompt.join('\n'))
  const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  const question = asked.at(-1)
  const turn = Math.max(0, asked.length - 1)
  if (question === undefined) return [GREETING]
  if (isUnheardSpeech(question)) return [pick(UNHEARD, turn), ...offer(facts, turn)]

  const spoken = question.toLowerCase()
  const isShort = spoken.split(/\s+/).length <= SHORT_WORDS
  if (/\b(good ?bye|bye|see you|hang up|that's all|that is all)\b/.test(spoken)) return [GOODBYE]
  if (/\b(repeat|say (that|it) again|say again|pardon|what did you say|come again)\b/.test(spoken))
    return [lastReply(messages) ?? NOTHING_SAID]
  const found = bestMatches(question, facts)
  if (found.length > 0) return found
  if (isShort && /\b(thanks|thank you|cheers)\b/.test(spoken)) return [WELCOME]
  if (isShort && /\b(hi|hello|hey|good (morning|afternoon|evening))\b/.test(spoken)) return [GREETING]
  return [NO_ANSWER, ...offer(facts, turn)]
}

function offer(facts: readonly string[], turn: number): string[] {
  return facts.length === 0 ? [NO_FACTS] : [pick(OFFERS, turn), pick(facts, turn)]
}

/** The facts that share most words with the question, in the prompt's order. Words that many facts hold count less. */
function bestMatches(question: string, facts: readonly string[]): string[] {
  const scores = overlaps(keywordsOf(question), facts.map(keywordsOf))
  const scored = facts.map((fact, index) => ({ fact, score: scores[index] ?? 0 }))
  const best = scores.reduce((most, score) => Math.max(most, score), 0)
  if (best === 0) return []
  const threshold = scores.toSorted((a, b) => b - a)[MOST_SENTENCES - 1] ?? best
  return scored
    .filter(({ score }) => score > 0 && score >= Math.max(threshold, best / 2))
    .slice(0, MOST_SENTENCES)
    .map(({ fact }) => fact)
}

const lastReply = (messages: readonly ModelMessage[]) =>
  messages.findLast(({ role }) => role === 'assistant')?.content

const pick = (texts: readonly string[], turn: number): string => texts[turn % texts.length] ?? ''
