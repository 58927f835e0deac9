import type { Clock } from '@heyline/kit/clock'
import { type AppMessage, MAX_TEXT_CHARACTERS } from '@heyline/room-protocol'
import type { ToolCall } from '../engines/engine.js'
import { wireMessage, wireToolCall } from '../engines/wire-message.js'
import type { Link } from '../link/link.js'
import type { Conversation, WrittenLine } from './conversation.js'
import type { SessionAssistant } from './session.js'

/** Least time between two conversation-updates, in milliseconds. Each has the whole latest state. */
const UPDATE_INTERVAL_MS = 100
/** Characters of a conversation-update beside its lines. */
const FRAME_CHARACTERS = 200

/** What a client is sent by default, as on the hosted platform. */
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
/** Who gets these may see what tools have told, in conversation-updates too. It is not sent by default: anybody may be the client. */
const TOOL_RESULTS = 'tool-calls-result'
/** Instead of `transcript`: only final ones. */
const FINAL_TRANSCRIPTS = 'transcript[transcriptType="final"]'

type Role = 'user' | 'assistant'
/** Where the words of a speech come from: the model, or a given text. */
export type SpeechSource = 'model' | 'force-say'

/**
 * Tells the client what happens, as far as the assistant's `clientMessages` allow. It sends status-update, assistant.started,
 * speech-update, assistant.speechStarted, transcript, conversation-update (without the system prompt), model-output (each piece of
 * text), user-interrupted, transfer-update, tool-calls, tool-calls-result and hang. The hosted platform's other events (voice-input, …) do not
 * happen here.
 */
export class ClientEvents {
  readonly #link: Link
  readonly #clock: Clock
  #allowed: ReadonlySet<string>
  readonly #onTranscribed: ((role: Role, transcript: string) => void) | undefined
  #lastUpdate = Number.NEGATIVE_INFINITY
  /** An update that waits: `tell` sends it now, `stop` forgets it. */
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

  /** What the assistant that speaks now lets the client have. */
  allow(types: readonly string[] = DEFAULT_CLIENT_MESSAGES): void {
    this.#allowed = new Set(types)
  }

  inProgress(): void {
    this.#send({ type: 'status-update', status: 'in-progress' })
  }

  /** The last event. An update that waits goes out before it. */
  ended(endedReason: string): void {
    this.#due?.tell()
    this.#isOver = true
    this.#send({ type: 'status-update', status: 'ended', endedReason })
  }

  /** Shows what anybody in the call may know about the assistant. Its prompt and its server stay hidden. */
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

  /** The caller's last words may be known only after the end. The client is then not told. */
  transcript(role: Role, transcript: string, transcriptType: 'partial' | 'final' = 'final'): void {
    if (transcriptType === 'final' && (role === 'user' || !this.#isOver))
      this.#onTranscribed?.(role, transcript)
    if (!this.#isOver) this.#send({ type: 'transcript', transcriptType, role, transcript })
  }

  /** The assistant should speak, and has been silent for too long. */
  hang(): void {
    this.#send({ type: 'hang' })
  }

  /** The call is being handed over to a number. */
  transfer(number: string): void {
    this.#send({ type: 'transfer-update', destination: { type: 'number', number } })
  }

  /** Another assistant takes over. Nobody's prompt is told, and nobody's server. */
  handoff(from: SessionAssistant, to: SessionAssistant, message: string | undefined): void {
    this.#send({
      type: 'transfer-update',
      destination: {
        type: 'assistant',
        assistantName: to.name ?? '',
        ...(message !== undefined && { message }),
      },
      fromAssistant: named(from),
      toAssistant: named(to),
    })
  }

  /** A step of a workflow begins. Its prompt stays hidden. */
  nodeStarted(name: string): void {
    this.#send({ type: 'workflow.node.started', node: { name } })
  }

  /** The model uses tools. What a tool is set up with stays hidden. */
  toolCalls(calls: readonly ToolCall[]): void {
    this.#send({ type: 'tool-calls', toolCallList: calls.map(wireToolCall) })
  }

  /** A tool has answered. */
  toolResult({ id, name }: ToolCall, outcome: { result: string } | { error: string }): void {
    this.#send({ type: 'tool-calls-result', toolCallResult: { toolCallId: id, name, ...outcome } })
  }

  interrupted(): void {
    this.#send({ type: 'user-interrupted' })
  }

  modelOutput(output: string): void {
    this.#send({ type: 'model-output', output })
  }

  /** The conversation has changed. Its latest state goes out now, or when the next update is allowed. */
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

  /** Sends the latest lines that fit into one text frame. It reads from the end, and no further than needed. */
  #update(conversation: Conversation): void {
    const lines: WrittenLine[] = []
    let left = MAX_TEXT_CHARACTERS - FRAME_CHARACTERS
    for (const line of conversation.latest()) {
      if (isOfTool(line) && !this.#allowed.has(TOOL_RESULTS)) continue
      // The frame has each line twice as spoken and once as recorded, with commas.
      left -= 2 * JSON.stringify(wireMessage(line.spoken)).length + JSON.stringify(line.message).length + 3
      if (left < 0) break
      lines.push(line)
    }
    if (lines.length === 0) return
    lines.reverse()
    const spoken = lines.map((line) => wireMessage(line.spoken))
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

const named = ({ name }: SessionAssistant) => (name === undefined ? {} : { name })

const isOfTool = ({ message: { role } }: WrittenLine): boolean =>
  role === 'tool_calls' || role === 'tool_call_result'
