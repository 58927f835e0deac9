import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { ModelTool, ToolCall } from '../engines/engine.js'
import { Conversation } from '../session/conversation.js'
import { endPhrases } from '../session/end-phrases.js'
import type { SessionMessage } from '../session/session.js'
import type { NextSpeaker } from '../session/session-assistant.js'
import { modelTools, toolUse } from '../session/session-tool.js'
import type { CallTool } from '../tools/call-tool.js'
import { type WrittenStep, writtenTurn } from '../written/written-turn.js'
import { notUsed, type WrittenUse, writtenUse } from '../written/written-use.js'

/** Most tools that one side uses in a conversation. */
const MOST_TOOL_CALLS = 20
/** Most characters of one turn that the other side reads. */
const MOST_SAID = 4_000

/** What one side has said in its turn. */
export interface Said {
  words: string
  /** It ends the conversation with this. */
  isOver: boolean
}

/** Somebody who takes part in a conversation in writing. */
export interface Writer {
  /** What it says before the other side does; undefined where it waits. */
  opening(signal: AbortSignal): Promise<Said | undefined>
  /** Its turn, after these words. Rejects where its model fails. */
  answer(words: string, signal: AbortSignal): Promise<Said>
  /** The conversation as it has it. */
  record(): SessionMessage[]
}

/** An assistant that writes instead of speaking: with the prompt, the tools and the conversation of its calls. What acts on a call ends the conversation. */
export class TextSpeaker implements Writer {
  readonly #speaker: NextSpeaker
  readonly #conversation: Conversation
  readonly #tools: ReadonlyMap<string, CallTool>
  readonly #offered: readonly ModelTool[]
  readonly #isGoodbye: (said: string) => boolean
  readonly #clock: Pick<Clock, 'now'>
  readonly #uses = { left: MOST_TOOL_CALLS }
  readonly #logger: Logger

  constructor(speaker: NextSpeaker, clock: Pick<Clock, 'now'>, logger: Logger) {
    const { assistant, tools = [] } = speaker
    this.#speaker = speaker
    this.#clock = clock
    this.#logger = logger
    this.#conversation = new Conversation(clock.now(), assistant.systemPrompt)
    const own = modelTools(assistant.tools ?? [])
    const others = tools.filter(({ model }) => !own.some(({ name }) => name === model.name))
    this.#tools = new Map(others.toReversed().map((tool) => [tool.model.name, tool]))
    this.#offered = [...own, ...others.map(({ model }) => model)]
    this.#isGoodbye = endPhrases(assistant.endCallPhrases ?? [])
  }

  async opening(signal: AbortSignal): Promise<Said | undefined> {
    const { firstMessage, modelSpeaksFirst } = this.#speaker.assistant
    if (modelSpeaksFirst) return await this.#turn(signal)
    if (!firstMessage) return undefined
    this.#say(firstMessage)
    return { words: firstMessage, isOver: false }
  }

  async answer(words: string, signal: AbortSignal): Promise<Said> {
    this.#conversation.add({ role: 'user', text: words, time: this.#clock.now() })
    return await this.#turn(signal)
  }

  record(): SessionMessage[] {
    return this.#conversation.record()
  }

  async #turn(signal: AbortSignal): Promise<Said> {
    const said: string[] = []
    const { assistant, model } = this.#speaker
    const steps = writtenTurn({
      ...{ assistant, model, signal, offered: this.#offered, uses: this.#uses },
      use: (call) => this.#use(call, signal),
      read: () => this.#conversation.forModel(),
    })
    for (;;) {
      const { done, value } = await steps.next()
      if (done) {
        const all = said.join(' ').slice(0, MOST_SAID)
        return { words: all, isOver: value.isOver || this.#isGoodbye(all) }
      }
      said.push(...this.#keep(value))
    }
  }

  /** Keeps what has happened in the conversation, and gives what the other side reads of it. */
  #keep(step: WrittenStep): string[] {
    if (step.type === 'piece') return []
    const time = this.#clock.now()
    if (step.type === 'result')
      this.#conversation.add({ role: 'tool_call_result', text: step.text, time, resultOf: step.call })
    else if (step.type === 'hint') this.#conversation.add({ role: 'system', text: step.text, time })
    if (step.type === 'result' || step.type === 'hint') return []
    const words = step.text.trim()
    if (words) this.#say(words)
    if (step.type === 'reply' && step.calls.length > 0)
      this.#conversation.add({ role: 'tool_calls', text: '', time, calls: step.calls })
    return words ? [words] : []
  }

  async #use(call: ToolCall, signal: AbortSignal): Promise<WrittenUse> {
    const tool = this.#tools.get(call.name)
    if (tool) return await writtenUse(call, tool, { signal, logger: this.#logger })
    const use = toolUse(this.#speaker.assistant.tools ?? [], call)
    if (use.type === 'refused') return notUsed(use.why)
    return leaving(use.type === 'endCall' ? use.message : undefined)
  }

  #say(text: string): void {
    this.#conversation.add({ role: 'bot', text, time: this.#clock.now() })
  }
}

/** What acts on a call ends the conversation, with these words. */
const leaving = (content = ''): WrittenUse => ({
  ...notUsed('Done.'),
  end: { content, conditions: [], isHint: false, endsCall: true },
})
