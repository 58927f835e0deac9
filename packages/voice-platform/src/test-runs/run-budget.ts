import { modelCost, type Prices } from '../calls/call-costs.js'
import { charactersOf, type Model, type ModelMessage, type ModelOptions } from '../engines/engine.js'
import { EngineUsage } from '../engines/engine-usage.js'

/** Most requests of one run to the model, and most characters that it reads in them. */
const MOST_REQUESTS = 1_500
const MOST_CHARACTERS = 10_000_000
/** Most that a run costs, in US dollars, where prices are known. */
const MOST_DOLLARS = 5

/** A run has used up what one may. */
export class RunSpent extends Error {
  override readonly name = 'RunSpent'
}

/** A model that works for one run, and for no longer than the run's budget lasts. */
export class BudgetedModel implements Model {
  readonly name: string
  readonly #usage = new EngineUsage()
  readonly #counted: Model
  readonly #prices: Prices | undefined
  #requests = 0
  #characters = 0

  constructor(model: Model, prices?: Prices) {
    this.name = model.name
    this.#counted = this.#usage.ofModel(model)
    this.#prices = prices
  }

  async *reply(messages: readonly ModelMessage[], options: ModelOptions): AsyncGenerator<string> {
    this.#requests += 1
    this.#characters += messages.reduce((sum, message) => sum + charactersOf(message), 0)
    const dollars = this.#prices ? modelCost(this.#prices, {}, this.#usage).cost : 0
    if (this.#requests > MOST_REQUESTS)
      throw new RunSpent(`The run has asked the model ${MOST_REQUESTS} times, which is the most.`)
    if (this.#characters > MOST_CHARACTERS)
      throw new RunSpent(`The model has read ${MOST_CHARACTERS} characters for the run, which is the most.`)
    if (dollars >= MOST_DOLLARS)
      throw new RunSpent(`The run has cost ${MOST_DOLLARS} US dollars, which is the most.`)
    yield* this.#counted.reply(messages, options)
  }
}
