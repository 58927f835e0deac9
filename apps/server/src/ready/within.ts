import type { Clock } from '@heyline/kit/clock'

/** What was asked, or a rejection after so many ms; the question itself goes on. */
export function within<Value>(
  asked: Promise<Value>,
  limitMs: number,
  clock: Pick<Clock, 'after'>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(limitMs, () => reject(new Error(`There was no answer within ${limitMs} ms.`)))
    asked.then(resolve, reject).finally(stop)
  })
}
