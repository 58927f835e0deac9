import { NoTurnError, WaitingLine } from '@heyline/kit/waiting-line'
import type { Logger } from 'pino'

/** Mails that no answer waits for: one after the other, with a short line behind. */
export class MailQueue {
  readonly #line = new WaitingLine({ atOnce: 1, waiting: 100 })
  readonly #running = new Set<Promise<void>>()
  readonly #logger: Logger

  constructor(logger: Logger) {
    this.#logger = logger
  }

  add(send: () => Promise<void>): void {
    const running = this.#line.run(send).catch((err: unknown) => {
      if (err instanceof NoTurnError) this.#logger.warn('too many mails wait to be sent: one was left out')
      else this.#logger.error({ err }, 'a mail was not sent')
    })
    this.#running.add(running)
    void running.finally(() => this.#running.delete(running))
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }
}
