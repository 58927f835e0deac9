import { randomUUID } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { TextMessage } from '../carrier.js'
import { checkText } from '../text-check.js'
import type { TextNotice } from './line-notice.js'
import type { OpenPhones } from './open-phones.js'
import type { Phone } from './phone.js'

/** How long a text waits for phones that open later, in milliseconds. */
const WAITS_MS = 120_000

/** Most texts that wait; then the oldest goes. */
const MOST_WAITING = 20

export interface TextsOptions {
  phones: OpenPhones
  clock: Clock
  logger: Logger
  /** Tells all processes, this one included. */
  notify(text: TextNotice): Promise<void>
}

/** Text messages on the pocket phones. Those of the last two minutes wait, in each process's memory, for phones that open later. */
export class Texts {
  readonly #options: TextsOptions
  /** Oldest first, each with what stops its timer. */
  readonly #waiting = new Map<TextNotice, () => void>()

  constructor(options: TextsOptions) {
    this.#options = options
  }

  async send(text: TextMessage): Promise<void> {
    checkText(text)
    const { phones, logger, notify } = this.#options
    const { from, to, body } = text
    const id = randomUUID()
    await notify({ type: 'text', id, from, to, body })
    if (phones.size === 0)
      logger.info(
        { textId: id },
        'a text waits two minutes for a pocket phone: this process has none that is open',
      )
  }

  /** A text has come. */
  show(text: TextNotice): void {
    const { phones, clock } = this.#options
    phones.show(text)
    this.#waiting.set(
      text,
      clock.after(WAITS_MS, () => this.#remove(text)),
    )
    const [oldest] = this.#waiting.keys()
    if (oldest && this.#waiting.size > MOST_WAITING) this.#remove(oldest)
  }

  /** Brings a phone that has opened what waits for it. */
  bring(phone: Phone): void {
    for (const text of this.#waiting.keys()) phone.show(text)
  }

  clear(): void {
    for (const text of this.#waiting.keys()) this.#remove(text)
  }

  #remove(text: TextNotice): void {
    this.#waiting.get(text)?.()
    this.#waiting.delete(text)
  }
}
