import { type AppMessage, MAX_TEXT_CHARACTERS } from '@heyline/room-protocol'
import type { Clock } from '../clock.js'
import type { Link } from '../link.js'
import type { Conversation } from './conversation.js'

type Role = 'user' | 'assistant'

/**
 * Tells the client what happens, as the platform does (facts: server to client). Sends status-update, speech-update, transcript (final
 * only), conversation-update (without the system prompt), model-output (each piece of text) and user-interrupted; the others, and
 * a choice by the assistant's `clientMessages`, are not served.
 */
export class ClientEvents {
  readonly #link: Link
  readonly #clock: Clock

  constructor(link: Link, clock: Clock) {
    this.#link = link
    this.#clock = clock
  }

  inProgress(): void {
    this.#send({ type: 'status-update', status: 'in-progress' })
  }

  ended(endedReason: string): void {
    this.#send({ type: 'status-update', status: 'ended', endedReason })
  }

  speech(role: Role, status: 'started' | 'stopped'): void {
    this.#send({ type: 'speech-update', status, role })
  }

  transcript(role: Role, transcript: string): void {
    this.#send({ type: 'transcript', transcriptType: 'final', role, transcript })
  }

  interrupted(): void {
    this.#send({ type: 'user-interrupted' })
  }

  modelOutput(output: string): void {
    this.#send({ type: 'model-output', output })
  }

  /** The latest lines that fit into one text frame. */
  conversation(conversation: Conversation): void {
    const messages = conversation.messages()
    const lines = conversation.spoken()
    for (let kept = lines.length; kept > 0; kept = Math.floor(kept * 0.75)) {
      const latest = lines.slice(-kept)
      const update = {
        type: 'conversation-update',
        conversation: latest,
        messages: messages.slice(-kept),
        messagesOpenAIFormatted: latest,
        timestamp: this.#clock.now(),
      }
      if (JSON.stringify(update).length > MAX_TEXT_CHARACTERS) continue
      this.#link.event(update)
      return
    }
  }

  #send(message: AppMessage): void {
    this.#link.event({ ...message, timestamp: this.#clock.now() })
  }
}
