import type { Clock } from '@heyline/kit/clock'
import { type AppMessage, MAX_TEXT_CHARACTERS } from '@heyline/room-protocol'
import type { Link } from '../link/link.js'
import type { Conversation, WrittenLine } from './conversation.js'
import type { SessionAssistant } from './session.js'

/** Least time between two conversation-updates, in milliseconds: each of them tells the whole latest state. */
const UPDATE_INTERVAL_MS = 100
/** What a conversation-update has beside its lines, in characters. */
const FRAME_CHARACTERS = 200

/** What a client is sent whose assistant does not say (the platform's default). */
const DEFAULT_CLIENT_MESSAGES = [
  'conversation-update',
  'function-call',
  'hang',
  'model-output',
  'speech-update',
  'status-update',
  'transfer-update',
  'transcript',
  'tool-calls',
  'user-interrupted',
  'voice-input',
  'workflow.node.started',
  'assistant.started',
]
/** In place of `transcript`: no partial ones. */
const FINAL_TRANSCRIPTS = 'transcript[transcriptType="final"]'

type Role = 'user' | 'assistant'
/** Where the words of a speech come from: the model, or a text that was given. */
export type SpeechSource = 'model' | 'force-say'

/**
 * Tells the client what happens, as far as the assistant's `clientMessages` allow: status-update, assistant.started, speech-update,
 * assistant.speechStarted, transcript, conversation-update (without the system prompt), model-output (each piece of text),
 * user-interrupted and hang. What the platform has besides (tools, transfers, voice-input, …) does not happen here.
 */
export class ClientEvents {
  readonly #link: Link
  readonly #clock: Clock
  readonly #allowed: ReadonlySet<string>
  readonly #onTranscribed: ((role: Role, transcript: string) => void) | undefined
  #lastUpdate = Number.NEGATIVE_INFINITY
  /** An update that is due: tells it now, or forgets it. */
  #due: { tell(): void; stop(): void } | undefined
  #isOver = false

  /** `onTranscribed` hears every final transcript. */
  constructor(
    link: Link,
    clock: Clock,
    allowed: readonly string[] = DEFAULT_CLIENT_MESSAGES,
    onTranscribed?: (role: Role, transcript: string) => void,
  ) {
    this.#link = link
    this.#clock = clock
    this.#allowed = new Set(allowed)
    this.#onTranscribed = onTranscribed
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

  /** Of the assistant everybody in the call may know this: not its prompt, nor where its messages go. */
  assistantStarted({ name, firstMessage }: SessionAssistant, voice: string): void {
    const newAssistant = {
      ...(name !== undefined && { name }),
      ...(firstMessage !== undefined && { firstMessage }),
      voice: { provider: voice },
    }
    this.#send({ type: 'assistant.started', newAssistant })
  }

  speech(role: Role, status: 'started' | 'stopped'): void {
    this.#send({ type: 'speech-update', status, role })
  }

  /** `text` is all of the assistant's turn so far. */
  speechStarted(text: string, source: SpeechSource): void {
    this.#send({ type: 'assistant.speechStarted', text, source })
  }

  transcript(role: Role, transcript: string, transcriptType: 'partial' | 'final' = 'final'): void {
    if (transcriptType === 'final' && !this.#isOver) this.#onTranscribed?.(role, transcript)
    this.#send({ type: 'transcript', transcriptType, role, transcript })
  }

  /** The assistant should speak, and has not for a while. */
  hang(): void {
    this.#send({ type: 'hang' })
  }

  interrupted(): void {
    this.#send({ type: 'user-interrupted' })
  }

  modelOutput(output: string): void {
    this.#send({ type: 'model-output', output })
  }

  /** The conversation has changed: its latest state is told, now or when the next update may go out. */
  conversation(conversation: Conversation): void {
    if (this.#isOver || !this.#allowed.has('conversation-update')) return
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
    const { type, transcriptType } = message
    const isAllowed =
      this.#allowed.has(type) ||
      (type === 'transcript' && transcriptType === 'final' && this.#allowed.has(FINAL_TRANSCRIPTS))
    if (isAllowed) this.#link.event({ ...message, timestamp: this.#clock.now() })
  }
}
