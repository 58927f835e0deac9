import type { ModelOptions } from '../engine.js'
import type { EngineRefusal } from './exchange.js'

/** Tokens that a model which thinks before it speaks may use for that, beside those of its reply. */
const THINKING_TOKENS = 4_000

/** With these a server says that it takes no tools: 400 most of them, 500 llama.cpp. */
const REFUSES_TOOLS: ReadonlySet<number> = new Set([400, 404, 422, 500, 501])

type Limits = Pick<ModelOptions, 'maxTokens' | 'temperature'>

/** The limits of a reply as they were sent. */
export type SentLimits = Partial<Record<'max_tokens' | 'max_completion_tokens' | 'temperature', number>>

/**
 * What one model takes. It is asked as most are, with `max_tokens`, and learns from its first refusal: OpenAI's newer models take
 * `max_completion_tokens` only, and no temperature (400, `unsupported_parameter` and `unsupported_value`). Many models on one's own machine
 * take no tools, and some servers know no `stream_options`.
 */
export class ModelHabits {
  #limit: 'max_tokens' | 'max_completion_tokens' = 'max_tokens'
  #takesTemperature = true
  #thinks = false
  #takesTools = true
  #countsTokens = true

  /** Whether it may be offered tools. */
  get takesTools(): boolean {
    return this.#takesTools
  }

  /** Whether it may be asked to count the tokens of a stream. */
  get countsTokens(): boolean {
    return this.#countsTokens
  }

  /** Whether its limit of tokens has room for thinking, so that the reply has to be measured by its pieces. */
  get thinks(): boolean {
    return this.#thinks
  }

  sent({ maxTokens, temperature }: Limits): SentLimits {
    const room = this.#thinks ? THINKING_TOKENS : 0
    return {
      ...(maxTokens !== undefined && { [this.#limit]: maxTokens + room }),
      ...(temperature !== undefined && this.#takesTemperature && { temperature }),
    }
  }

  /** Learns from a refusal of what was sent. False where asking again would not help. */
  learn(
    { status, unsupported, namesTools, namesStreamOptions }: EngineRefusal,
    { sent, withTools, asksTokens }: { sent: SentLimits; withTools: boolean; asksTokens: boolean },
  ): boolean {
    if (asksTokens && namesStreamOptions && status >= 400 && status < 500) {
      this.#countsTokens = false
      return true
    }
    if (withTools && namesTools && REFUSES_TOOLS.has(status)) {
      this.#takesTools = false
      return true
    }
    if (status !== 400) return false
    if (unsupported === 'max_tokens' && sent.max_tokens !== undefined) this.#limit = 'max_completion_tokens'
    else if (unsupported === 'temperature' && sent.temperature !== undefined) this.#takesTemperature = false
    else return false
    return true
  }

  /** The model has used up all its tokens before its first word. False where it had room for thinking already. */
  giveRoom(sent: SentLimits, { maxTokens }: Limits): boolean {
    const most = sent.max_tokens ?? sent.max_completion_tokens
    if (maxTokens === undefined || most !== maxTokens) return false
    this.#thinks = true
    return true
  }
}
