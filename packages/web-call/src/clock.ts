import type { Clock } from '@heyline/kit/clock'

export { type Clock, systemClock } from '@heyline/kit/clock'

/** The time as every event tells it: ISO 8601. */
export const timestampOf = (clock: Clock): string => new Date(clock.now()).toISOString()

/** Waits for something, but no longer than some milliseconds; what it waited for may then still come. */
export function within(clock: Clock, milliseconds: number, wait: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, resolve)
    wait.then(resolve, reject).finally(cancel)
  })
}
