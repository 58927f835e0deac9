import { type AppMessage, MAX_TEXT_CHARACTERS } from '@heyline/room-protocol'
import type { Clock } from '../clock.js'
import type { Link } from '../link.js'
import type { Conversation, WrittenLine } from './conversation.js'

/** Least time between two conversation-updates, in milliseconds: each of them tells the whole latest state. */
const UPDATE_INTERVAL_MS = 100
/** What a conversation-update has beside its lines, in characters. */
const FRAME_CHARACTERS = 200

type Role = 'user' | 'assistant'

/**
 * Tells the client what happens, as the platform does (its `clientMessages`). Sends status-update, speech-update, transcript (final
 * only), conversation-update (without the system prompt), model-output (each piece of text) and user-interrupted; the others, and
 * a choice by the assistant's `clientMessages`, are not served.
 */
export class ClientEvents {
  readonly #link: Link
  readonly #clock: Clock
  #lastUpdate = Number.NEGATIVE_INFINITY
  /** An update that is due: tells it now, or forgets it. */
  #due: { tell(): void; stop(): void } | undefined
  #isOver = false

  constructor(link: Link, clock: Clock) {
    this.#link = link
    this.#clock = clock
  }

  inProgress(): void {
    this.#send({ type: 'status-update', status: 'in-progress' })
  }

  /** The last that is told: an update that is due goes before it. */
  ended(endedReason: string): void {
    this.#due?.tell()
    this.#isOver = true
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

  /** The conversation has changed: its latest state is told, now or when the next update may go out. */
  conversation(conversation: Conversation): void {
    if (this.#isOver) return
    this.#due?.stop()
    const tell = () => {
      this.#due?.stop()
      this.#due = undefined
      this.#lastUpdate = this.#clock.now()
      this.#update(conversation)
    }
    const wait = this.#lastUpdate + UPDATE_INTERVAL_MS - this.#clock.now()
    if (wait > 0) this.#due = { tell, stop: this.#clock.after(wait, tell) }
    else tell()
  }

  /** The latest lines that fit into one text frame, taken from the end: what does not fit is not even looked at. */
  #update(conversation: Conversation): void {
    const lines: WrittenLine[] = []
    let left = MAX_TEXT_CHARACTERS - FRAME_CHARACTERS
    for (const line of conversation.latest()) {
      // Each stands in the frame twice as it was spoken and once as it is recorded, with commas.
      left -= 2 * JSON.stringify(line.spoken).length + JSON.stringify(line.message).length + 3
      if (left < 0) break
      lines.push(line)
    }
    if (lines.length === 0) return
    lines.reverse()
    const spoken = lines.map((line) => line.spoken)
    this.#send({
      type: 'conversation-update',
      conversation: spoken,
      messages: lines.map(({ message }) => message),
      messagesOpenAIFormatted: spoken,
    })
  }

  #send(message: AppMessage): void {
    this.#link.event({ ...message, timestamp: this.#clock.now() })
  }
}
