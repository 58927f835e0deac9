import type { Clock } from '@heyline/kit/clock'
import type { ToolCall } from '../engines/engine.js'
import type { AssistantPart } from './assistant-part.js'
import type { AssistantSpeech } from './assistant-speech.js'
import type { TransferDestination } from './bridge-call.js'
import type { Cast } from './cast.js'
import type { Conversation } from './conversation.js'
import type { HandoffTarget } from './session-assistant.js'
import { toolUse } from './session-tool.js'
import type { ToolRounds } from './tool-rounds.js'

export interface ToolUsesOptions {
  cast: Cast
  part: AssistantPart
  speech: AssistantSpeech
  rounds: ToolRounds
  conversation: Conversation
  clock: Clock
  /** Aborts when the call is over. */
  signal: AbortSignal
  transfer(destination: TransferDestination): void
  handOff(target: HandoffTarget): void
}

/** Does what a reply wants done with its tools. */
export class ToolUses {
  readonly #options: ToolUsesOptions

  constructor(options: ToolUsesOptions) {
    this.#options = options
  }

  /** `hasWords`: the reply said something, too. */
  use(calls: readonly ToolCall[], hasWords: boolean): void {
    const { cast, rounds, signal } = this.#options
    const { now } = cast
    const others = calls.filter(({ name }) => now.answersWithWords(name))
    rounds.use(others, hasWords)
    for (const call of calls) if (!signal.aborted && !others.includes(call)) this.#act(call)
  }

  /** The model, or the last step of a workflow, ends the call. */
  leave(message: string | undefined): void {
    if (message?.trim()) this.#options.part.leaveWith(message, 'assistant-ended-call')
    else this.#options.part.leave()
  }

  #act(call: ToolCall): void {
    const { cast, part, speech, conversation, clock } = this.#options
    const use = toolUse(cast.now.assistant.tools ?? [], call)
    const time = clock.now()
    if (use.type === 'transfer') this.#options.transfer(use.destination)
    else if (use.type === 'handoff') this.#options.handOff(use.target)
    else if (use.type === 'endCall') this.leave(use.message)
    else if (use.type === 'refused') conversation.add({ role: 'system', text: use.why, time })
    else
      void part.take(
        () => {
          conversation.note(`The assistant pressed ${use.keys}.`, clock.now())
          return speech.press(use.keys)
        },
        { interruptible: false },
      )
  }
}
