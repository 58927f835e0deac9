import type { Clock } from '@heyline/kit/clock'
import type { AppMessage } from '@heyline/room-protocol'
import type { Logger } from 'pino'
import type { AssistantPart } from './assistant-part.js'
import type { AssistantSpeech } from './assistant-speech.js'
import type { CallerPart } from './caller-part.js'
import type { ClientEvents } from './client-events.js'
import { type ClientMessage, readClientMessage } from './client-message.js'
import type { Conversation } from './conversation.js'
import { WordsBudget } from './words-budget.js'

export interface ClientOrdersOptions {
  part: AssistantPart
  speech: AssistantSpeech
  caller: CallerPart
  conversation: Conversation
  events: ClientEvents
  clock: Clock
  logger: Logger
  /** Aborts when the call is over. */
  signal: AbortSignal
  /** The carrier has the call. */
  isBridged(): boolean
  hangUp(): void
}

/** Does what the client's messages ask for, and what programs ask for in the same words. */
export class ClientOrders {
  readonly #options: ClientOrdersOptions
  readonly #words: WordsBudget

  constructor(options: ClientOrdersOptions) {
    this.#options = options
    this.#words = new WordsBudget(options.clock)
  }

  /** A message of the client, as it came. */
  hear(message: AppMessage): void {
    const { logger } = this.#options
    const known = readClientMessage(message)
    if (!known) logger.debug({ type: message.type }, 'a message of the client is not served')
    else if (this.#words.allows(known)) this.obey(known)
    else logger.debug({ type: message.type }, 'the client has too much said by messages; this one is dropped')
  }

  obey(message: ClientMessage): void {
    const { signal, part, isBridged, hangUp } = this.#options
    if (signal.aborted) return
    if (message.type === 'hangup') hangUp()
    else if (part.isLeaving || isBridged()) return
    else if (message.type === 'end-call') part.leave()
    else if (message.type === 'say') part.say(message)
    else if (message.type === 'add-message') this.#addMessage(message)
    else this.#control(message.control)
  }

  #control(control: Extract<ClientMessage, { type: 'control' }>['control']): void {
    const { part, caller } = this.#options
    if (control === 'say-first-message') part.greet()
    else if (control === 'mute-customer') caller.isMuted = true
    else if (control === 'unmute-customer') caller.isMuted = false
    else part.mute(control === 'mute-assistant')
  }

  #addMessage({ message, triggerResponseEnabled }: Extract<ClientMessage, { type: 'add-message' }>): void {
    const { conversation, events, part, speech, clock } = this.#options
    const role = message.role === 'assistant' ? 'bot' : message.role
    conversation.add({ role, text: message.content, time: clock.now() })
    events.conversation(conversation)
    if (triggerResponseEnabled) void part.take((signal) => speech.reply(signal))
  }
}
