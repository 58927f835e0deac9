import type { LineLogger } from '@heyline/kit/bounded-log'

/**
 * Wraps the handler of a socket's event, or of a timer, so that it never throws: an exception there would end the process and every call in it.
 * What the handler throws is logged. Then `fail` closes this one connection, with code 1011; it may throw too.
 */
export function guarded<Event extends unknown[]>(
  handle: (...event: Event) => void,
  { logger, fail }: { logger: Pick<LineLogger, 'error'>; fail(): void },
): (...event: Event) => void {
  return (...event) => {
    try {
      handle(...event)
    } catch (error) {
      logger.error({ err: error }, 'an event could not be handled; its connection is closed')
      try {
        fail()
      } catch (failure) {
        logger.error({ err: failure }, 'a connection could not be closed')
      }
    }
  }
}
