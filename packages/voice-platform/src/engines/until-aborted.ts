import { abortable } from './abortable.js'

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
