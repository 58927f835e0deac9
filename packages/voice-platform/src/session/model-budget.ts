import type { Clock } from '@heyline/kit/clock'
import type { ModelMessage } from '../engines/engine.js'
import { messageWeight } from '../engines/read-weight.js'
import { Budget, type BudgetOptions } from '../work/budget.js'

/** Characters that two people say in a second, when both are fast. */
const SAID_PER_SECOND = 25
/** Characters that may be said beside that: a first message of the greatest length. */
const SAID_AT_ONCE = 10_000
/** How many of a call's longest requests the model reads: one in so many seconds on average, and so many at once. */
const LONGEST_EVERY_SECONDS = 4
const LONGEST_AT_ONCE = 6
/** A short request counts as so large a part of the longest: its answer costs as much as another's. */
const LEAST_PART = 1 / 4

export interface ModelBudgetOptions {
  /** What the prompt weighs, as common letters do (`commonWeight`). */
  promptWeight: number
  /** Characters that each reply may read beside these: what was looked up for it. */
  materialCharacters?: number | undefined
  /** The longest that the call may be. */
  maxDurationSeconds: number
}

/**
 * How much a call may have the model read, in prompt and conversation, in characters of English or what weighs as much: with each reply the model reads all of it again. A
 * request that is dropped is paid for like any other. No conversation needs as much as this, whether it is long or its prompt is. But
 * somebody who makes a turn of every click of the tongue waits for their answers.
 */
export class ModelBudget {
  readonly #budget: Budget
  readonly #maxDurationSeconds: number
  /** What the longest request weighs that was reckoned with. */
  #longest: number
  #material: number

  constructor(clock: Clock, options: ModelBudgetOptions) {
    const { materialCharacters = 0, maxDurationSeconds } = options
    this.#maxDurationSeconds = maxDurationSeconds
    this.#material = materialCharacters
    this.#longest = longestOf(options)
    this.#budget = new Budget(clock, limitsOf(this.#longest))
  }

  /** Another assistant speaks from now on. One that reads more widens the budget, once; what was read before stays paid. */
  follow(next: Omit<ModelBudgetOptions, 'maxDurationSeconds'>): void {
    this.#material = next.materialCharacters ?? 0
    const longest = longestOf({ ...next, maxDurationSeconds: this.#maxDurationSeconds })
    if (longest <= this.#longest) return
    this.#longest = longest
    this.#budget.widen(limitsOf(longest))
  }

  /** Pays for a reply that may not be wanted. False, with nothing paid, where that would leave too little for those that are. */
  allowsGuess(messages: readonly ModelMessage[]): boolean {
    return this.#budget.spend(this.#costOf(messages), { keeping: this.#reserve })
  }

  /** Pays for a reply, as soon as it can be paid for. Rejects only with the signal's reason. */
  pay(messages: readonly ModelMessage[], signal: AbortSignal): Promise<void> {
    return this.#budget.spendInTime(this.#costOf(messages), signal)
  }

  /** Text that programs add to a call may make a request longer than the longest that was reckoned with. */
  #costOf(messages: readonly ModelMessage[]): number {
    const weight = messages.reduce((sum, message) => sum + messageWeight(message), this.#material)
    return Math.min(Math.max(weight, LEAST_PART * this.#longest), this.#reserve)
  }

  /** Kept for replies that are wanted. */
  get #reserve(): number {
    return limitsOf(this.#longest).atOnce / 2
  }
}

const longestOf = ({ promptWeight, maxDurationSeconds, materialCharacters = 0 }: ModelBudgetOptions) =>
  materialCharacters + promptWeight + SAID_AT_ONCE + SAID_PER_SECOND * maxDurationSeconds

const limitsOf = (longest: number): BudgetOptions => ({
  perSecond: longest / LONGEST_EVERY_SECONDS,
  atOnce: LONGEST_AT_ONCE * longest,
})
