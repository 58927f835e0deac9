import type { Logger } from 'pino'
import type { Clock } from '../clock.js'
import type { Engines } from '../engines/engine.js'
import { untilAborted } from '../engines/until-aborted.js'
import type { Link } from '../link.js'
import type { ClientEvents } from './client-events.js'
import type { Conversation } from './conversation.js'
import { EngineTroubles } from './engine-troubles.js'
import { retryStreamOnce } from './retry-once.js'
import { chunkSentences } from './sentence-chunker.js'
import type { SessionAssistant } from './session.js'
import { Speaker, type Spoken } from './speaker.js'

/** Said when an engine failed twice: the caller must never be left in silence. */
export const APOLOGY = 'I am sorry, something went wrong on my side. Could you please say that again?'

const DEFAULT_MAX_TOKENS = 250

export interface AssistantSpeechOptions {
  link: Link
  engines: Engines
  assistant: SessionAssistant
  conversation: Conversation
  events: ClientEvents
  clock: Clock
  logger: Logger
}

/**
 * What the assistant says: given words verbatim, or the model's reply to the conversation. What was heard of it goes into the
 * conversation. An engine that fails gets one more try; then an apology is spoken, and if that fails too, the call goes on without.
 */
export class AssistantSpeech {
  readonly #options: AssistantSpeechOptions
  readonly #speaker: Speaker
  readonly #troubles: EngineTroubles
  #startedAt = 0

  constructor(options: AssistantSpeechOptions) {
    this.#options = options
    this.#troubles = new EngineTroubles(options.logger)
    this.#speaker = new Speaker(options.link, options.engines.voice, {
      started: () => {
        this.#startedAt = options.clock.now()
        options.events.speech('assistant', 'started')
      },
      stopped: () => options.events.speech('assistant', 'stopped'),
    })
  }

  /** The caller hears the assistant right now. */
  get audible(): boolean {
    return this.#speaker.audible
  }

  /** Speaks these words as they stand. */
  async say(text: string, signal: AbortSignal): Promise<void> {
    await this.#speakOrApologise(chunkSentences([text]), signal)
  }

  /** Lets the model reply to the conversation. */
  async reply(signal: AbortSignal): Promise<void> {
    await this.#speakOrApologise(chunkSentences(this.#modelOutput(signal)), signal)
  }

  /** An engine other than the model or the voice has failed. */
  async apologise(failure: unknown, signal: AbortSignal): Promise<void> {
    this.#troubles.report(failure)
    const spoken = await this.#speak(chunkSentences([APOLOGY]), signal)
    if (spoken.outcome === 'failed') this.#troubles.report(spoken.failure)
  }

  async #speakOrApologise(texts: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
    const spoken = await this.#speak(texts, signal)
    if (spoken.outcome === 'failed') await this.apologise(spoken.failure, signal)
  }

  async #speak(texts: AsyncIterable<string>, signal: AbortSignal): Promise<Spoken> {
    const { conversation, events, clock } = this.#options
    const spoken = await this.#speaker.speak(texts, signal)
    if (spoken.heard !== '') {
      conversation.add({ role: 'bot', text: spoken.heard, time: this.#startedAt, endTime: clock.now() })
      events.transcript('assistant', spoken.heard)
      events.conversation(conversation)
    }
    return spoken
  }

  async *#modelOutput(signal: AbortSignal): AsyncGenerator<string> {
    const { engines, assistant, conversation, events } = this.#options
    const messages = conversation.forModel()
    const reply = () =>
      untilAborted(
        engines.model.reply(messages, {
          signal,
          maxTokens: assistant.maxTokens ?? DEFAULT_MAX_TOKENS,
          ...(assistant.model !== undefined && { model: assistant.model }),
          ...(assistant.temperature !== undefined && { temperature: assistant.temperature }),
        }),
        signal,
      )
    for await (const piece of retryStreamOnce(reply, { engine: engines.model.name, signal })) {
      events.modelOutput(piece)
      yield piece
    }
  }
}
