import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { ToolCall } from '../engines/engine.js'
import type { CallTool, ToolOutcome } from '../tools/call-tool.js'
import { firstFitting, fitting } from '../tools/tool-messages.js'
import {
  endMessage,
  FAILED,
  MOST_AT_ONCE,
  MOST_ROUNDS,
  NOT_WAITED_FOR,
  resultText,
  type UsedTool,
} from '../tools/used-tool.js'
import type { AssistantPart } from './assistant-part.js'
import type { AssistantSpeech } from './assistant-speech.js'
import type { Cast } from './cast.js'
import type { ClientEvents } from './client-events.js'
import type { Conversation } from './conversation.js'
import { Fillers } from './fillers.js'

/** Most tools that a call uses by default. */
export const MOST_TOOL_CALLS = 200
/** Longest that a tool is waited for, whatever its own limit, in milliseconds: the API's longest limit and a little. */
const LONGEST_MS = 310_000

export interface ToolRoundsOptions {
  cast: Cast
  mostToolCalls?: number | undefined
  part: AssistantPart
  speech: AssistantSpeech
  conversation: Conversation
  events: ClientEvents
  clock: Clock
  logger: Logger
  /** Aborts when the call is over. */
  signal: AbortSignal
  callerSpeaks(): boolean
  /** The assistant has the floor, or something waits for it. */
  isFloorBusy(): boolean
  /** A tool has begun or ended. */
  onChanged(): void
}

/**
 * Runs the tools that replies use, beside the conversation: the caller may speak meanwhile, and interrupts no tool. Their results go into
 * the conversation, and the model is asked again. What the tools have to say is said, and silence is filled.
 */
export class ToolRounds {
  readonly #options: ToolRoundsOptions
  readonly #fillers: Fillers
  #left: number
  #rounds = 0
  #running = 0
  /** Results are there that the model was not asked about, because the caller spoke. */
  #isOwed = false

  constructor(options: ToolRoundsOptions) {
    this.#options = options
    this.#left = options.mostToolCalls ?? MOST_TOOL_CALLS
    this.#fillers = new Fillers({
      clock: options.clock,
      isQuiet: () => !options.speech.audible && !options.callerSpeaks() && !options.isFloorBusy(),
      say: (text) => this.#say(text),
      sign: () => {
        if (!options.part.isMuted) options.speech.sign()
      },
    })
    options.signal.addEventListener('abort', () => this.#fillers.end(), { once: true })
  }

  /** Somebody waits for a tool. */
  get isRunning(): boolean {
    return this.#running > 0
  }

  /** Somebody has begun or ended to speak. */
  stir(): void {
    if (this.isRunning) this.#fillers.stir()
  }

  /** The caller has said something, and gets an answer that knows all results so far. */
  callerSaid(): void {
    this.#rounds = 0
    this.#isOwed = false
  }

  /** The caller's turn came to nothing: whoever waits for an answer to results gets it now. */
  callerSaidNothing(): void {
    if (this.#isOwed && !this.isRunning) this.#askAgain()
  }

  /** A reply uses these tools. `hasWords`: it said something, too. */
  use(asked: readonly ToolCall[], hasWords: boolean): void {
    const { conversation, events, clock } = this.#options
    const uses = asked.slice(0, MOST_AT_ONCE).flatMap((call) => {
      const tool = this.#options.cast.now.tools.get(call.name)
      return tool ? [{ call, tool }] : []
    })
    if (uses.length === 0) return
    const calls = uses.map(({ call }) => call)
    conversation.add({ role: 'tool_calls', text: '', time: clock.now(), calls })
    events.toolCalls(calls)
    events.conversation(conversation)
    this.#rounds += 1
    this.#running += 1
    this.#options.onChanged()
    this.#fillers.begin()
    void Promise.all(uses.map(({ call, tool }) => this.#used(call, tool))).then((used) => {
      this.#running -= 1
      if (!this.isRunning) this.#fillers.end()
      if (!this.#options.signal.aborted) this.#goOn(used, hasWords)
      this.#options.onChanged()
    })
  }

  /** Never rejects. Its result is in the conversation. */
  async #used(call: ToolCall, tool: CallTool): Promise<UsedTool> {
    const outcome = await this.#outcomeOf(call, tool)
    const { conversation, events, clock, signal } = this.#options
    if (!signal.aborted) {
      conversation.add({
        role: 'tool_call_result',
        text: resultText(outcome),
        time: clock.now(),
        resultOf: call,
      })
      events.toolResult(call, outcome)
      events.conversation(conversation)
    }
    return { call, tool, outcome }
  }

  async #outcomeOf(call: ToolCall, tool: CallTool): Promise<ToolOutcome> {
    if (this.#left <= 0) return { error: 'This call has used its tools too often. Go on without them.' }
    this.#left -= 1
    if (tool.isAsync) {
      void this.#run(call, tool)
      return NOT_WAITED_FOR
    }
    const { clock, part, speech } = this.#options
    const start = firstFitting(tool.messages?.start ?? [], call.arguments)
    if (start?.content) {
      const said = part.take(async (signal) => void (await speech.say(start.content, signal)))
      if (start.isBlocking) await said
    }
    const stops = fitting(tool.messages?.delayed ?? [], call.arguments).map(({ content, afterMs }) =>
      clock.after(afterMs, () => this.#say(content)),
    )
    try {
      return await this.#run(call, tool)
    } finally {
      for (const stop of stops) stop()
    }
  }

  /** Never rejects. */
  async #run(call: ToolCall, tool: CallTool): Promise<ToolOutcome> {
    const { clock, logger, signal } = this.#options
    const limit = new AbortController()
    const stop = clock.after(LONGEST_MS, () => limit.abort(new Error('the tool took too long')))
    const either = AbortSignal.any([signal, limit.signal])
    const ended = new Promise<ToolOutcome>((resolve) => {
      either.addEventListener('abort', () => resolve({ error: 'The tool took too long.' }), { once: true })
    })
    try {
      const ran = tool.run(call.arguments, { signal: either, toolCallId: call.id })
      return await Promise.race([ran, ended])
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error, tool: call.name }, 'a tool failed')
      return FAILED
    } finally {
      stop()
    }
  }

  /** After the results: says what the tools have to say, or asks the model again. */
  #goOn(used: readonly UsedTool[], hasWords: boolean): void {
    const ends = used.flatMap((one) => endMessage(one) ?? [])
    for (const { content } of ends.filter(({ isHint }) => isHint))
      this.#options.conversation.add({ role: 'system', text: content, time: this.#options.clock.now() })
    const said = ends.filter(({ isHint, content }) => !isHint && content !== '')
    for (const { content, endsCall } of said) {
      if (endsCall) {
        this.#options.part.leaveWith(content, 'assistant-ended-call')
        return
      }
      this.#say(content)
    }
    const isWaitedFor = used.some(({ tool }) => !tool.isAsync)
    if (said.length < used.length && (isWaitedFor || !hasWords)) this.#askAgain()
  }

  #askAgain(): void {
    const { callerSpeaks, part, speech } = this.#options
    this.#isOwed = true
    if (callerSpeaks()) return
    const withoutTools = this.#rounds >= MOST_ROUNDS || this.#left <= 0
    void part.take(async (signal) => {
      // The caller may have got an answer while this one waited for its turn.
      if (!this.#isOwed) return
      await speech.reply(signal, { withoutTools })
      if (!signal.aborted) this.#isOwed = false
    })
  }

  #say(text: string): void {
    const { part, speech } = this.#options
    if (text.trim()) void part.take(async (signal) => void (await speech.say(text, signal)))
  }
}
