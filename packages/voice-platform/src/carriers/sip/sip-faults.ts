import { BoundedLog, type LineLogger } from '@heyline/kit/bounded-log'
import type { Clock } from '@heyline/kit/clock'
import { guarded } from '../../sockets/guarded.js'

export interface SipFaultsOptions {
  clock: Clock
  logger: LineLogger
}

/**
 * What goes wrong where the carrier handles datagrams and timers. An exception there would end the process and every call in it, and strangers
 * choose what is handled. So a fault ends no more than what it belongs to, and all of them together write so many lines a minute.
 */
export class SipFaults implements LineLogger {
  readonly #clock: Clock
  readonly #log: BoundedLog

  constructor({ clock, logger }: SipFaultsOptions) {
    this.#clock = clock
    this.#log = new BoundedLog({ logger, clock: this.clock() })
  }

  /** Runs this, and never throws. Where it fails, that is logged, and `fail` ends what it belongs to. */
  run(work: () => void, fail: () => void = () => {}): void {
    this.guard(work, fail)()
  }

  /** The same for a handler of events. */
  guard<Event extends unknown[]>(
    handle: (...event: Event) => void,
    fail: () => void = () => {},
  ): (...event: Event) => void {
    return guarded(handle, { logger: this, fail })
  }

  /** The carrier's clock, whose timers never throw. */
  clock(fail: () => void = () => {}): Clock {
    const clock = this.#clock
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (milliseconds, run) => clock.after(milliseconds, this.guard(run, fail)),
    }
  }

  /** Of what is refused, which is no fault. */
  info(fields: object, text: string): void {
    this.#log.info('sip-refused', fields, text)
  }

  warn(fields: object, text: string): void {
    this.#log.warn('sip', fields, text)
  }

  error(fields: object, text: string): void {
    this.#log.error('sip-fault', fields, text)
  }

  /** Tells what was left out. Idempotent. */
  close(): void {
    this.#log.close()
  }
}
