import type { CallerWords } from '../link/caller-words.js'
import type { Link } from '../link/link.js'

/** Names and bounds that a call gives its engines. `signal` ends the work at once: the engine then rejects with its reason. */
export interface EngineOptions {
  signal: AbortSignal
}

/** What was heard. `text` is null where the engine can tell that somebody spoke, but not what: say so, never guess. */
export interface Heard {
  text: string | null
  /** Length of the speech in milliseconds. */
  durationMs: number
}

export interface TranscriberOptions extends EngineOptions {
  /** When this speech began, in milliseconds since the epoch: the same for every question about one turn of the caller. */
  startedAt?: number
}

/** Speech to text, one utterance at a time. */
export interface Transcriber {
  readonly name: string
  /** False: its texts have no full stops, so that a missing one says nothing. Left out: they have. */
  readonly punctuates?: boolean
  /**
   * `speech` is PCM16 mono 16 kHz: all of a turn so far. Asked at each pause in which the caller may have finished, so that one
   * turn may be asked about several times, each time for all of it, and an answer may go unused. Rejects with an `EngineError`.
   */
  transcribe(speech: Int16Array, options: TranscriberOptions): Promise<Heard>
  /** The same for one call, from the words that its client recognises. Where it is there, clients are asked for words. */
  withWords?(words: CallerWords): Transcriber
}

/** One line of a conversation as a model reads it. */
export interface ModelMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ModelOptions extends EngineOptions {
  /** The model that the call names, for engines that serve several. */
  model?: string
  /** Most tokens of a reply (spec 7: 250). */
  maxTokens?: number
  /** 0 to 2. */
  temperature?: number
}

/** Text to text: the assistant's next words, in pieces as they come. */
export interface Model {
  readonly name: string
  /** Rejects (while iterating) with an `EngineError`. */
  reply(messages: readonly ModelMessage[], options: ModelOptions): AsyncIterable<string>
}

/** Text to speech. */
export interface Voice {
  readonly name: string
  /** PCM16 mono 16 kHz, in pieces as they come. Rejects (while iterating) with an `EngineError`. */
  speak(text: string, options: EngineOptions): AsyncIterable<Int16Array>
  /** Makes speech for this text ahead of time, where the engine can keep it. Never rejects. */
  prepare?(text: string): void
}

/** The three engines of an assistant. */
export interface Engines {
  transcriber: Transcriber
  model: Model
  voice: Voice
}

/** An engine failed or refused. The message says which and why, without keys and without what was said. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly engine: string

  constructor(engine: string, message: string, options?: ErrorOptions) {
    super(`${engine}: ${message}`, options)
    this.engine = engine
  }
}

/** The engines of one call: where its client tells the words that it recognises, the transcriber may use them. */
export function enginesForCall(engines: Engines, { words }: Link): Engines {
  const { transcriber, model, voice } = engines
  if (!words || !transcriber.withWords) return engines
  return { transcriber: transcriber.withWords(words), model, voice }
}

const MARKER = /^\[unintelligible speech, \d+\.\d s\]$/

/**
 * What stands in a conversation for speech whose words are not known: `[unintelligible speech, 1.2 s]`.
 * The session writes it as the caller's line, so that every model can see that somebody spoke.
 */
export const unheardSpeech = (durationMs: number): string =>
  `[unintelligible speech, ${(durationMs / 1000).toFixed(1)} s]`

export const isUnheardSpeech = (content: string): boolean => MARKER.test(content)
