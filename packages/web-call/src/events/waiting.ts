import type { WallClock } from '@heyline/kit/wall-clock'

/**
 * Waits for something, but no longer than until the signal. What is left behind may still reject: nobody hears of it,
 * so whoever leaves something to release behind releases it in a `then` of its own.
 */
export function untilAborted<T>(signal: AbortSignal, wait: Promise<T>): Promise<T> {
  wait.catch(() => {})
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    wait.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** So that what is thrown at once is a rejection too. */
export const attempt = async (work: () => unknown): Promise<unknown> => work()

/** Waits for something, but no longer than some milliseconds; what it waited for may then still come. */
export function within(clock: WallClock, milliseconds: number, wait: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, resolve)
    wait.then(resolve, reject).finally(cancel)
  })
}
