import { BoundedLog } from '@heyline/kit/bounded-log'
import type { Clock } from '@heyline/kit/clock'
import { NoTurnError, WaitingLine } from '@heyline/kit/waiting-line'
import type { Logger } from 'pino'
import { MailNotTaken } from './mail-not-taken.js'

/** How long a stop waits for mails, in milliseconds: what stops a server gives it half a minute for all that is not a call. */
const CLOSE_MS = 10_000

/** Mails that no answer waits for: one after the other, with a short line behind. Strangers have them sent, so its log is bounded. */
export class MailQueue {
  readonly #line = new WaitingLine({ atOnce: 1, waiting: 100 })
  readonly #running = new Set<Promise<boolean>>()
  readonly #log: BoundedLog
  readonly #clock: Clock
  readonly #closing = new AbortController()

  constructor(logger: Logger, clock: Clock) {
    this.#log = new BoundedLog({ logger, clock })
    this.#clock = clock
  }

  /**
   * Resolves with whether the mail may have been sent: false where it certainly was not. Never rejects, and logs what failed.
   * `work` ends, and rejects, once its signal is aborted.
   */
  async send(work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    const running = this.#sent(work)
    this.#running.add(running)
    return await running.finally(() => this.#running.delete(running))
  }

  async #sent(work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    const { signal } = this.#closing
    let begun = false
    try {
      await this.#line.run(async () => {
        signal.throwIfAborted()
        begun = true
        await work(signal)
      })
      return true
    } catch (err) {
      if (err instanceof NoTurnError)
        this.#log.warn('mail left out', {}, 'too many mails wait to be sent: one was left out')
      else this.#log.error('mail', { err }, 'a mail was not sent')
      return begun && !(err instanceof MailNotTaken)
    }
  }

  /** To be asked when no more mails come. Resolves when nothing is under way: what is not sent within 10 s is left out. */
  async close(): Promise<void> {
    const stopWaiting = this.#clock.after(CLOSE_MS, () =>
      this.#closing.abort(new Error('The server stops, and a mail was not sent before')),
    )
    await Promise.all(this.#running)
    stopWaiting()
    this.#log.close()
  }
}
