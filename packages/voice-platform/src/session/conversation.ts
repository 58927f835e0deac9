import { charactersOf, type ModelMessage, type ToolCall } from '../engines/engine.js'
import { commonWeight } from '../engines/read-weight.js'
import { wireToolCall } from '../engines/wire-message.js'
import type { SessionMessage } from './session.js'
import type { KeptHistory } from './session-assistant.js'

/** Most lines that a model reads beside its prompt; older ones are left out. */
const MOST_MODEL_LINES = 200
/** Most characters of those lines: as many as a prompt may have. */
const MOST_MODEL_CHARACTERS = 100_000
/** Most characters of all prompts that a model reads: the older ones are left out. */
const MOST_PROMPTS = 100_000
/** Most lines and characters of a call, some ten hours of talk. The oldest lines are dropped first. */
const MOST_LINES = 5_000
const MOST_CHARACTERS = 1_000_000

const MODEL_ROLES = {
  system: 'system',
  user: 'user',
  bot: 'assistant',
  tool_calls: 'assistant',
  tool_call_result: 'tool',
} as const
/** What a model reads of a tool whose result is not there yet. */
const STILL_RUNNING = 'This tool is still running. Its result comes later.'

export interface Line {
  role: SessionMessage['role']
  text: string
  /** When it began and ended, in milliseconds since the epoch. */
  time: number
  endTime?: number
  /** What the call's record says about the call. No model or client reads it. */
  isNote?: boolean
  /** Of `tool_calls`. */
  calls?: readonly ToolCall[]
  /** Of `tool_call_result`: the call whose result `text` is. */
  resultOf?: ToolCall
  /** No model reads it any more: it was left behind at a handoff. */
  isLeft?: boolean
}

/** A line in two forms: for a model and `conversation-update`, and for the platform's record. */
export interface WrittenLine {
  spoken: ModelMessage
  message: SessionMessage
}

/** What was said in a call, ordered by when each line began. Of the assistant's words, only those that were heard are kept. */
export class Conversation {
  readonly #startedAt: number
  readonly #firstPrompt: string | undefined
  /** What models read. */
  #prompts: string[]
  readonly #lines: Line[] = []
  #characters = 0

  constructor(startedAt: number, systemPrompt?: string) {
    this.#startedAt = startedAt
    this.#firstPrompt = systemPrompt
    this.#prompts = systemPrompt ? [systemPrompt] : []
  }

  /** Adds a line where it belongs by its time. */
  add(line: Line): void {
    const after = this.#lines.findLastIndex(({ time }) => time <= line.time)
    this.#lines.splice(after + 1, 0, line)
    this.#characters += line.text.length
    while (this.#lines.length > MOST_LINES || this.#characters > MOST_CHARACTERS)
      this.#characters -= this.#lines.shift()?.text.length ?? 0
  }

  /** What a model reads: the prompt and the latest lines. `next` is added as the caller's next line. */
  forModel(next?: string): ModelMessage[] {
    const prompt = this.#prompts.map((content): ModelMessage => ({ role: 'system', content }))
    const latest: ModelMessage[] = []
    let characters = 0
    if (next !== undefined) {
      characters = next.length
      latest.push({ role: 'user', content: next })
    }
    for (const lines of this.#exchanges()) {
      characters += lines.reduce((sum, line) => sum + charactersOf(line), 0)
      if (latest.length + lines.length > MOST_MODEL_LINES || characters > MOST_MODEL_CHARACTERS) break
      latest.push(...lines)
    }
    return [...prompt, ...latest.reverse()]
  }

  /** The lines without the prompt and notes, the last one first. Each is written only when it is read. */
  *latest(): Generator<WrittenLine> {
    for (let index = this.#lines.length - 1; index >= 0; index -= 1) {
      const line = this.#lines[index]
      if (line && !line.isNote) yield { spoken: spoken(line), message: this.#message(line) }
    }
  }

  /**
   * What a model reads of each line, the last one first. Results stand behind the use of their tools, whenever they came: a model's server
   * refuses calls of tools that have none, and results without a call.
   */
  *#exchanges(): Generator<ModelMessage[]> {
    // By the call itself: some servers give the same ids in each answer.
    const results = new Map<ToolCall, string>()
    for (const { resultOf, text } of this.#lines) if (resultOf) results.set(resultOf, text)
    for (const line of this.#lines.toReversed()) {
      if (line.isNote || line.isLeft || line.resultOf) continue
      const answers = (line.calls ?? []).map(
        (call): ModelMessage => ({
          role: 'tool',
          content: results.get(call) ?? STILL_RUNNING,
          toolCallId: call.id,
        }),
      )
      yield [...answers.reverse(), spoken(line)]
    }
  }

  /** The next assistant reads this prompt, and so much of the conversation. The record has all of it, and clients are shown all but the prompts. */
  handOver(prompt: string | undefined, history: KeptHistory, time: number): void {
    const open = this.#lines.filter(({ isNote, isLeft }) => !isNote && !isLeft)
    const spoken = open.filter(({ resultOf }) => !resultOf)
    const from = typeof history === 'object' ? Math.max(0, spoken.length - history.last) : 0
    const kept = new Set(spoken.slice(from))
    for (const line of open)
      if (history === 'none' || (typeof history === 'object' && !line.resultOf && !kept.has(line)))
        line.isLeft = true
      else if (history === 'words' && line.role !== 'user' && line.role !== 'bot') line.isLeft = true
    this.#prompts = [...(history === 'rolling' ? this.#prompts : []), ...(prompt ? [prompt] : [])]
    while (this.#prompts.length > 1 && this.#prompts.join('').length > MOST_PROMPTS) this.#prompts.shift()
    if (prompt) this.note(prompt, time)
  }

  /** The `commonWeight` of what a model reads as its prompt. */
  get promptWeight(): number {
    return this.#prompts.reduce((sum, prompt) => sum + commonWeight(prompt), 0)
  }

  /** What the assistant said last, as it was heard. */
  get lastSaid(): string {
    return this.#lines.findLast(({ role }) => role === 'bot')?.text ?? ''
  }

  /** Adds a line about the call to its record. */
  note(text: string, time: number): void {
    this.add({ role: 'system', text, time, isNote: true })
  }

  /** The call's record: the prompt, then all lines. */
  record(): SessionMessage[] {
    const prompt: SessionMessage[] = this.#firstPrompt
      ? [{ role: 'system', message: this.#firstPrompt, time: this.#startedAt, secondsFromStart: 0 }]
      : []
    return [...prompt, ...this.#lines.map((line) => this.#message(line))]
  }

  #message({ role, text, time, endTime, calls, resultOf }: Line): SessionMessage {
    return {
      role,
      message: resultOf ? '' : text,
      ...(calls && { toolCalls: calls.map(wireToolCall) }),
      ...(resultOf && { toolCallId: resultOf.id, name: resultOf.name, result: text }),
      time,
      ...(endTime !== undefined && { endTime }),
      secondsFromStart: Math.max(0, (time - this.#startedAt) / 1000),
    }
  }
}

const spoken = ({ role, text, calls, resultOf }: Line): ModelMessage => ({
  role: MODEL_ROLES[role],
  content: text,
  ...(calls && { toolCalls: calls }),
  ...(resultOf && { toolCallId: resultOf.id }),
})
