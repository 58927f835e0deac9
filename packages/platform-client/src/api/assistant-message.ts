import type { CreateAssistant } from './assistant.js'
import type { MessageContext } from './message-context.js'

/** An assistant took over, at the start of the call or after a transfer. */
export interface AssistantStarted extends MessageContext {
  type: 'assistant.started'
  newAssistant: CreateAssistant
}

/** What the assistant is saying now. Comes again as the turn goes on. */
export interface AssistantSpeechStarted extends MessageContext {
  type: 'assistant.speechStarted'
  /** The whole turn so far, and not only what is new. */
  text: string
  /** Counts from 0. */
  turn?: number
  source?: 'model' | 'force-say' | 'custom-voice'
  timing?: WordAlignment | WordProgress
}

/** When each word is spoken; the three lists are equally long. */
export interface WordAlignment {
  type: 'word-alignment'
  words: string[]
  /** Milliseconds. */
  wordsStartTimesMs: number[]
  /** Milliseconds. */
  wordsEndTimesMs: number[]
}

/** How many words have been spoken. */
export interface WordProgress {
  type: 'word-progress'
  wordsSpoken: number
  /** 0 while it is not known. */
  totalWords: number
  /** The part of the text that is being spoken. */
  segment?: string
  /** Milliseconds. */
  segmentDurationMs?: number
  words?: Record<string, unknown>[]
}
