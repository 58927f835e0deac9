import type { ModelMessage } from '../engines/engine.js'
import type { SessionMessage } from './session.js'

/** Most lines that a model reads beside its prompt; older ones are left out. */
const MOST_MODEL_LINES = 200

const MODEL_ROLES = { system: 'system', user: 'user', bot: 'assistant' } as const

export interface Line {
  role: SessionMessage['role']
  text: string
  /** When it began and ended, in milliseconds since the epoch. */
  time: number
  endTime?: number
}

/** What was said in a call, in the order in which it began. Of the assistant's words it holds those that were heard. */
export class Conversation {
  readonly #startedAt: number
  readonly #systemPrompt: string | undefined
  readonly #lines: Line[] = []

  constructor(startedAt: number, systemPrompt?: string) {
    this.#startedAt = startedAt
    this.#systemPrompt = systemPrompt
  }

  /** Adds a line where it belongs by its time. */
  add(line: Line): void {
    const after = this.#lines.findLastIndex(({ time }) => time <= line.time)
    this.#lines.splice(after + 1, 0, line)
  }

  /** What a model reads: the prompt and the latest lines. */
  forModel(): ModelMessage[] {
    const prompt: ModelMessage[] = this.#systemPrompt ? [{ role: 'system', content: this.#systemPrompt }] : []
    return [...prompt, ...this.spoken().slice(-MOST_MODEL_LINES)]
  }

  /** The lines without the prompt, as a model and the platform's `conversation-update` write them. */
  spoken(): ModelMessage[] {
    return this.#lines.map(({ role, text }) => ({ role: MODEL_ROLES[role], content: text }))
  }

  /** The lines without the prompt, as the platform's record writes them. */
  messages(): SessionMessage[] {
    return this.#lines.map(({ role, text, time, endTime }) => ({
      role,
      message: text,
      time,
      ...(endTime !== undefined && { endTime }),
      secondsFromStart: Math.max(0, (time - this.#startedAt) / 1000),
    }))
  }

  /** The call's record: the prompt, then all lines. */
  record(): SessionMessage[] {
    const prompt: SessionMessage[] = this.#systemPrompt
      ? [{ role: 'system', message: this.#systemPrompt, time: this.#startedAt, secondsFromStart: 0 }]
      : []
    return [...prompt, ...this.messages()]
  }
}
