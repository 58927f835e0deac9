import { EngineError } from '../engines/engine.js'

/** Does the work, and tries once more if it failed without an abort. */
export async function retryOnce<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) throw error
    return await work()
  }
}

/**
 * Reads a stream, and opens it once more if it failed or ended before its first item. No item comes twice, so a stream that
 * fails later fails for good. One that is empty twice fails with an `EngineError` of this engine, unless `mayBeEmpty`.
 */
export async function* retryStreamOnce<T>(
  open: () => AsyncIterable<T>,
  { engine, signal, mayBeEmpty }: { engine: string; signal: AbortSignal; mayBeEmpty?: () => boolean },
): AsyncGenerator<T> {
  for (let tries = 1; ; tries += 1) {
    let isEmpty = true
    try {
      for await (const item of open()) {
        isEmpty = false
        yield item
      }
      if (!isEmpty || mayBeEmpty?.()) return
      throw new EngineError(engine, 'it answered with nothing')
    } catch (error) {
      if (signal.aborted || !isEmpty || tries === 2) throw error
    }
  }
}
