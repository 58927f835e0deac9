import type { Logger } from 'pino'

/**
 * A handler of a socket's event that never throws: an exception in one would end the whole process, and with it every call.
 * What the handler throws is logged; then `fail` ends this one connection (with 1011), and may throw too.
 */
export function guarded<Event extends unknown[]>(
  handle: (...event: Event) => void,
  { logger, fail }: { logger: Logger; fail(): void },
): (...event: Event) => void {
  return (...event) => {
    try {
      handle(...event)
    } catch (error) {
      logger.error({ err: error }, 'an event of a socket could not be handled; its connection is closed')
      try {
        fail()
      } catch (failure) {
        logger.error({ err: failure }, 'a connection could not be closed')
      }
    }
  }
}
