import { setTimeout as delay } from 'node:timers/promises'
import { createWebCall } from '../../e2e/plain-caller.js'
import { spoken } from '../../e2e/spoken.js'
import { Gaps } from './gaps.js'
import { Talker } from './talker.js'
import { QUESTION } from './texts.js'

/** Before somebody whose call was cut calls again. */
const AFTER_CUT_MS = 1_000

export interface CrowdOptions {
  /** Servers of one installation. Each call is created by one of them and joined at the next one, in turn. */
  urls: readonly string[]
  key: string
  /** Settings of the assistant of the `n`th call. */
  assistantOf(n: number): object
  /** Questions of one call, unless somebody stays. */
  questions: number
}

/** People who talk with the assistant, all at the same time: each is greeted, asks, is answered, leaves, and calls again. */
export class Crowd {
  readonly gaps = new Gaps()
  /** Calls that began. */
  calls = 0
  /** Why calls were refused, ended by the server, or not answered. */
  readonly cut: string[] = []
  readonly #options: CrowdOptions
  readonly #over = new AbortController()
  readonly #question = spoken(QUESTION)
  readonly #people: Promise<void>[] = []

  constructor(options: CrowdOptions) {
    this.#options = options
  }

  /** Lets people come, evenly within so many milliseconds, until there are so many. Those who stay ask in one call until all leave. */
  async growTo(people: number, withinMs: number, staying = 0): Promise<void> {
    await this.#question
    const apart = withinMs / Math.max(1, people - this.#people.length)
    for (let n = this.#people.length; n < people; n += 1) {
      this.#people.push(this.#callOn(n < staying ? Number.POSITIVE_INFINITY : this.#options.questions))
      await delay(apart)
    }
  }

  /** All leave; resolves when nobody is in a call any more. */
  async leave(): Promise<void> {
    this.#over.abort()
    await Promise.all(this.#people)
  }

  async #callOn(questions: number): Promise<void> {
    const { signal } = this.#over
    while (!signal.aborted) {
      try {
        await this.#call(questions)
      } catch (error) {
        if (signal.aborted) return
        this.cut.push(String(error))
        await delay(AFTER_CUT_MS)
      }
    }
  }

  async #call(questions: number): Promise<void> {
    const { urls, key, assistantOf } = this.#options
    const n = this.calls++
    const serverOf = (turn: number) => urls[turn % urls.length] ?? ''
    const { webCallUrl } = await createWebCall(serverOf(n), key, assistantOf(n))
    const address = new URL(webCallUrl)
    address.host = new URL(serverOf(n + 1)).host
    const talker = await Talker.join(address.href, this.gaps)
    try {
      const { signal } = this.#over
      await talker.hear(1, signal)
      for (let asked = 1; asked <= questions; asked += 1) {
        talker.say(await this.#question)
        await talker.hear(asked + 1, signal)
      }
    } finally {
      await talker.leave()
    }
  }
}
