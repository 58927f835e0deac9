import type { Clock } from '@heyline/kit/clock'
import { storable } from '@heyline/kit/storable'
import type { ModelTool, ToolCall } from '../engines/engine.js'
import { boundedReply } from '../session/bounded-reply.js'
import { Conversation } from '../session/conversation.js'
import { endPhrases } from '../session/end-phrases.js'
import type { SessionMessage } from '../session/session.js'
import { DEFAULT_MAX_TOKENS, type NextSpeaker } from '../session/session-assistant.js'
import { modelTools, toolUse } from '../session/session-tool.js'
import type { CallTool } from '../tools/call-tool.js'
import { FAILED, MOST_ROUNDS, resultText } from '../tools/used-tool.js'

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
  #toolsLeft = MOST_TOOL_CALLS

  constructor(speaker: NextSpeaker, clock: Pick<Clock, 'now'>) {
    const { assistant, tools = [] } = speaker
    this.#speaker = speaker
    this.#clock = clock
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
    for (let round = 0; ; round += 1) {
      const { words, calls } = await this.#reply(round < MOST_ROUNDS && this.#toolsLeft > 0, signal)
      if (words !== '') said.push(words)
      const ending = await this.#use(calls, signal)
      if (ending?.message) said.push(ending.message)
      if (ending || calls.length === 0) {
        const all = said.join(' ').slice(0, MOST_SAID)
        return { words: all, isOver: ending !== undefined || this.#isGoodbye(all) }
      }
    }
  }

  async #reply(
    mayUseTools: boolean,
    signal: AbortSignal,
  ): Promise<{ words: string; calls: readonly ToolCall[] }> {
    const { assistant, model } = this.#speaker
    const { maxTokens = DEFAULT_MAX_TOKENS, temperature, model: named } = assistant
    const calls: ToolCall[] = []
    const pieces = model.reply(this.#conversation.forModel(), {
      ...{ signal, maxTokens },
      ...(named !== undefined && { model: named }),
      ...(temperature !== undefined && { temperature }),
      ...(mayUseTools &&
        this.#offered.length > 0 && {
          tools: this.#offered,
          onToolCall: (call: ToolCall) => void calls.push(call),
        }),
    })
    let words = ''
    for await (const piece of boundedReply(pieces, maxTokens)) {
      signal.throwIfAborted()
      words += piece
    }
    const used = calls.slice(0, this.#toolsLeft)
    this.#toolsLeft -= used.length
    words = storable(words).trim()
    if (words !== '') this.#say(words)
    if (used.length > 0)
      this.#conversation.add({ role: 'tool_calls', text: '', time: this.#clock.now(), calls: used })
    return { words, calls: used }
  }

  /** Runs these one after another. Defined once one of them ends the conversation, with what is said then. */
  async #use(calls: readonly ToolCall[], signal: AbortSignal): Promise<{ message?: string } | undefined> {
    let ending: { message?: string } | undefined
    for (const call of calls) {
      const tool = this.#tools.get(call.name)
      const use = tool ? undefined : toolUse(this.#speaker.assistant.tools ?? [], call)
      let result: string
      if (tool) result = await this.#run(tool, call, signal)
      else if (use?.type === 'refused') result = use.why
      else {
        ending = use?.type === 'endCall' && use.message !== undefined ? { message: use.message } : {}
        result = 'Done.'
      }
      this.#conversation.add({
        role: 'tool_call_result',
        text: result,
        time: this.#clock.now(),
        resultOf: call,
      })
    }
    if (ending?.message) this.#say(ending.message)
    return ending
  }

  async #run(tool: CallTool, call: ToolCall, signal: AbortSignal): Promise<string> {
    const run = tool.run(call.arguments, { signal, toolCallId: call.id })
    const outcome = await run.catch(() => FAILED)
    signal.throwIfAborted()
    return resultText(outcome)
  }

  #say(text: string): void {
    this.#conversation.add({ role: 'bot', text, time: this.#clock.now() })
  }
}
