import { BoundedLog } from '@heyline/kit/bounded-log'
import type { Clock } from '@heyline/kit/clock'
import { NoTurnError, WaitingLine } from '@heyline/kit/waiting-line'
import type { Logger } from 'pino'

/** Mails that no answer waits for: one after the other, with a short line behind. Strangers ask for them, so its log is bounded. */
export class MailQueue {
  readonly #line = new WaitingLine({ atOnce: 1, waiting: 100 })
  readonly #running = new Set<Promise<void>>()
  readonly #log: BoundedLog

  constructor(logger: Logger, clock: Clock) {
    this.#log = new BoundedLog({ logger, clock })
  }

  add(send: () => Promise<void>): void {
    const running = this.#line.run(send).catch((err: unknown) => {
      if (err instanceof NoTurnError)
        this.#log.warn('mail left out', {}, 'too many mails wait to be sent: one was left out')
      else this.#log.error('mail', { err }, 'a mail was not sent')
    })
    this.#running.add(running)
    void running.finally(() => this.#running.delete(running))
  }

  /** To be asked when no more mails come. Resolves when nothing is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#running)
    this.#log.close()
  }
}
