import type { Clock } from '@heyline/kit/clock'

/** The promise's outcome, or the signal's reason as soon as it aborts. The work itself goes on unless it knows the signal. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Resolves after this many milliseconds; rejects with the signal's reason as soon as it aborts, and leaves no timer. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let stop = () => {}
  const over = new Promise<void>((resolve) => {
    stop = clock.after(ms, resolve)
  })
  await abortable(over, signal).finally(() => stop())
}

/**
 * The items of a stream until the signal aborts: then it rejects with the signal's reason at once, even where the source
 * does not notice. The source is told to end, but not waited for.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let done = false
  try {
    for (;;) {
      const next = await abortable(iterator.next(), signal)
      done = next.done === true
      if (next.done) return
      yield next.value
    }
  } finally {
    if (!done) iterator.return?.().catch(() => {})
  }
}

/** A controller that aborts with this signal until it is released. A call's signal outlives most of the call's work. */
export function followAbort(signal: AbortSignal): { controller: AbortController; release(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return { controller, release: () => signal.removeEventListener('abort', abort) }
}
