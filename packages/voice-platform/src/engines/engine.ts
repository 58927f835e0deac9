import type { CallerWords } from '../link/caller-words.js'
import type { Link } from '../link/link.js'

/** What each request to an engine has. `signal` ends the work at once; the engine then rejects with the signal's reason. */
export interface EngineOptions {
  signal: AbortSignal
}

/** What was heard. `text` is null where the engine knows that somebody spoke, but not what. It must not guess. */
export interface Heard {
  text: string | null
  /** Length of the speech in milliseconds. */
  durationMs: number
}

export interface TranscriberOptions extends EngineOptions {
  /** When this speech began, in milliseconds since the epoch. It is the same for every question about one turn. */
  startedAt?: number
}

/** What happens while a stream of one turn is open. */
export interface TranscriptionEvents {
  /** All words of the turn as they are known now. They may still change. */
  onPartial(words: string): void
  /** The engine has heard a pause, and knows all words before it. */
  onPause(): void
  /** The engine takes the turn for finished. */
  onEndOfTurn(): void
}

/** The audio of one turn on its way to the engine, while the caller speaks. */
export interface TranscriptionStream {
  /** PCM16 mono 16 kHz, as it comes. Never throws. */
  write(samples: Int16Array): void
  /** All words of what was written. Asked at each pause; the turn may go on after it. Rejects with an `EngineError`. */
  settle(options: EngineOptions): Promise<string>
  /** Ends it. Idempotent. */
  close(): void
}

/** A connection that is open before the turn begins that it is for. Whoever opened it listens or closes it. */
export interface WaitingTranscription {
  /** The stream of that turn. Undefined where the connection has broken meanwhile. */
  listen(events: TranscriptionEvents): TranscriptionStream | undefined
  close(): void
}

/** Speech to text, one utterance at a time. */
export interface Transcriber {
  readonly name: string
  /** False where its texts have no full stops, so that a missing one says nothing. True by default. */
  readonly punctuates?: boolean
  /**
   * `speech` is PCM16 mono 16 kHz: all of a turn so far. Called at each pause in which the caller may have finished. One turn may
   * need several calls, and an answer may go unused. Rejects with an `EngineError`.
   */
  transcribe(speech: Int16Array, options: TranscriberOptions): Promise<Heard>
  /** Listens to a turn while it is spoken. Only engines that stream. Where a stream fails, `transcribe` gets the turn's audio. */
  open?(events: TranscriptionEvents): TranscriptionStream
  /** Connects before a turn begins, so that its first words wait for no connection. Only engines that connect for each turn. Never throws. */
  openAhead?(): WaitingTranscription | undefined
  /** A transcriber for one call that uses the words which its client recognises. Clients are asked for words only where this exists. */
  withWords?(words: CallerWords): Transcriber
}

/** One line of a conversation as a model reads it. */
export interface ModelMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  /** Of the role `assistant`: the tools that it wants used. A message of the role `tool` for each of them follows. */
  toolCalls?: readonly ToolCall[]
  /** Of the role `tool`: the call whose result `content` is. */
  toolCallId?: string
}

/** What a model reads of a message, in characters. */
export const charactersOf = ({ content, toolCalls = [] }: ModelMessage): number =>
  toolCalls.reduce(
    (sum, { name, arguments: given }) => sum + name.length + JSON.stringify(given).length,
    content.length,
  )

/** Something that a model may do besides speaking. */
export interface ModelTool {
  name: string
  /** By which the model decides. */
  description: string
  /** JSON schema of its arguments. */
  parameters: object
  /** In words: when it is to be used. For engines that do no more than compare words. */
  condition?: string
}

/** A model wants a tool used. The arguments are what it says, and may be wrong. */
export interface ToolCall {
  /** By which its result is told from others. Each in a call has its own. */
  id: string
  name: string
  arguments: Record<string, unknown>
}

/** What a reply cost, as the engine counts it. */
export interface Tokens {
  /** Of what the model read. */
  prompt: number
  /** Of what it said, or thought before that. */
  completion: number
}

export interface ModelOptions extends EngineOptions {
  /** The model that the call names, for engines that serve several. */
  model?: string
  /** Most tokens of a reply (spec 7: 250). */
  maxTokens?: number
  /** 0 to 2. */
  temperature?: number
  /** What the model may use. Engines that know no tools use none. */
  tools?: readonly ModelTool[]
  /** Called with the tokens of the reply, by engines that count them. A reply that is broken off may have none. */
  onTokens?(tokens: Tokens): void
  /** Called for each tool that the reply uses, before the reply ends. A reply that uses one may have no words. */
  onToolCall?(call: ToolCall): void
}

/** Text to text: the assistant's next words, in pieces as they come. */
export interface Model {
  readonly name: string
  /** Rejects (while iterating) with an `EngineError`. */
  reply(messages: readonly ModelMessage[], options: ModelOptions): AsyncIterable<string>
}

export interface VoiceOptions extends EngineOptions {
  /** When the listener needs the first sound, in milliseconds from now; 0 by default. Earlier sentences may still be heard. */
  neededInMs?: number
}

/** Text to speech. */
export interface Voice {
  readonly name: string
  /** PCM16 mono 16 kHz, in pieces as they come. Rejects (while iterating) with an `EngineError`. */
  speak(text: string, options: VoiceOptions): AsyncIterable<Int16Array>
  /** Makes speech for this text ahead of time, where the engine can keep it. Never throws. */
  prepare?(text: string): void
  /** This engine for one call. Only where what calls ask for takes turns. */
  forCall?(): Voice
  /**
   * This engine with another speaker, for one call. Where the engine refuses that speaker, its own speaks, and `onRefused` is told once.
   * Only where an engine has several.
   */
  withSpeaker?(voiceId: string, onRefused: () => void): Voice
  /** Ends the connections that it keeps for the next sentence. */
  close?(): void
}

/** The three engines of an assistant. */
export interface Engines {
  transcriber: Transcriber
  model: Model
  voice: Voice
}

/** An engine failed or refused. The message says which and why. It has no keys, and nothing that was said. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly engine: string

  constructor(engine: string, message: string, options?: ErrorOptions) {
    super(`${engine}: ${message}`, options)
    this.engine = engine
  }
}

/** The engines of one call. The transcriber uses the words of the call's client, where both can. */
export function enginesForCall({ transcriber, model, voice }: Engines, { words }: Link): Engines {
  return {
    transcriber: (words && transcriber.withWords?.(words)) ?? transcriber,
    model,
    voice: voice.forCall?.() ?? voice,
  }
}

const MARKER = /^\[unintelligible speech, \d+\.\d s\]$/

/**
 * The caller's line for speech whose words are not known: `[unintelligible speech, 1.2 s]`. It shows every model that somebody
 * spoke.
 */
export const unheardSpeech = (durationMs: number): string =>
  `[unintelligible speech, ${(durationMs / 1000).toFixed(1)} s]`

export const isUnheardSpeech = (content: string): boolean => MARKER.test(content)
