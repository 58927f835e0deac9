import type { Model, ModelMessage, ModelTool } from '../engine.js'
import { isUnheardSpeech } from '../engine.js'
import { type Material, materialOf } from '../material.js'
import { sentencesOf } from '../sentences.js'
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
 * the caller's, or with those of the files that were looked up for it, and says which file it has them from. It knows greeting, goodbye, thanks and 'say that again'. It invents nothing. Without a match, or without words
 * (`unheardSpeech`), it says so and offers a fact of the prompt, another one each turn. Of tools it uses only those that say in words when:
 * the one whose words the caller has just used. English only.
 */
export function createOfflineModel(): Model {
  let uses = 0
  return {
    name: OFFLINE_MODEL,
    async *reply(messages, { signal, maxTokens = 250, tools = [], onToolCall }) {
      signal.throwIfAborted()
      const way = onToolCall && wayOf(messages, tools)
      if (way) {
        uses += 1
        onToolCall({ id: `offline_${uses}`, name: way.name, arguments: {} })
        return
      }
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

/** What conditions say of whoever calls, and not of what is wanted. */
const ABOUT_THE_CALLER = keywordsOf('caller customer user person somebody ask want wish need say like')

/** The tool whose condition shares most words with what the caller has just said; undefined where none does, or two do alike. */
function wayOf(messages: readonly ModelMessage[], tools: readonly ModelTool[]): ModelTool | undefined {
  const last = messages.findLast((message) => !materialOf(message))
  if (last?.role !== 'user' || isUnheardSpeech(last.content)) return undefined
  const ways = tools.filter(({ condition }) => condition !== undefined)
  const said = new Set([...keywordsOf(last.content)].filter((word) => !ABOUT_THE_CALLER.has(word)))
  const scores = overlaps(
    said,
    ways.map(({ condition = '' }) => keywordsOf(condition)),
  )
  const best = Math.max(0, ...scores)
  if (best === 0 || scores.filter((score) => score === best).length > 1) return undefined
  return ways[scores.indexOf(best)]
}

function answer(messages: readonly ModelMessage[]): string[] {
  const material = messages.flatMap((message) => materialOf(message) ?? [])
  const prompt = messages
    .filter((message) => message.role === 'system' && !materialOf(message))
    .map(({ content }) => content)
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
  const found = bestMatches(question, facts, material)
  if (found.length > 0) return found
  if (isShort && /\b(thanks|thank you|cheers)\b/.test(spoken)) return [WELCOME]
  if (isShort && /\b(hi|hello|hey|good (morning|afternoon|evening))\b/.test(spoken)) return [GREETING]
  return [NO_ANSWER, ...offer(facts, turn)]
}

function offer(facts: readonly string[], turn: number): string[] {
  return facts.length === 0 ? [NO_FACTS] : [pick(OFFERS, turn), pick(facts, turn)]
}

/** A sentence that can be said, and the file that it is from. */
interface Sayable {
  text: string
  from?: string
}

/** What shares most words with the question, in its own order: facts of the prompt, and sentences of files. Words that many of them hold count less. */
function bestMatches(question: string, facts: readonly string[], material: readonly Material[]): string[] {
  const sayable: Sayable[] = [...facts.map((text) => ({ text })), ...material.flatMap(sentencesOfMaterial)]
  const scores = overlaps(
    keywordsOf(question),
    sayable.map(({ text }) => keywordsOf(text)),
  )
  const best = scores.reduce((most, score) => Math.max(most, score), 0)
  if (best === 0) return []
  const threshold = scores.toSorted((a, b) => b - a)[MOST_SENTENCES - 1] ?? best
  return sayable
    .filter((_, index) => {
      const score = scores[index] ?? 0
      return score > 0 && score >= Math.max(threshold, best / 2)
    })
    .slice(0, MOST_SENTENCES)
    .map(({ text, from }, index, said) =>
      from === undefined || from === said[index - 1]?.from ? text : `According to ${from}: ${text}`,
    )
}

/** Passages overlap: what two of them share is one sentence. */
const sentencesOfMaterial = ({ from, text }: Material): Sayable[] =>
  text
    .split('\n')
    .flatMap(sentencesOf)
    .map((sentence) => ({ text: sentence, from }))

const lastReply = (messages: readonly ModelMessage[]) =>
  messages.findLast(({ role }) => role === 'assistant')?.content

const pick = (texts: readonly string[], turn: number): string => texts[turn % texts.length] ?? ''
