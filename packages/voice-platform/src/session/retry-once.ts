import { EngineError } from '../engines/engine.js'

/** The work's outcome; one more try when it failed without being aborted. */
export async function retryOnce<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) throw error
    return await work()
  }
}

/**
 * The items of a stream; one more try when it failed, or ended, before its first item. What was passed on is never repeated:
 * a stream that fails later fails for good, and so does one that is empty twice (with an `EngineError` of this engine).
 */
export async function* retryStreamOnce<T>(
  open: () => AsyncIterable<T>,
  { engine, signal }: { engine: string; signal: AbortSignal },
): AsyncGenerator<T> {
  for (let tries = 1; ; tries += 1) {
    let isEmpty = true
    try {
      for await (const item of open()) {
        isEmpty = false
        yield item
      }
      if (!isEmpty) return
      throw new EngineError(engine, 'it answered with nothing')
    } catch (error) {
      if (signal.aborted || !isEmpty || tries === 2) throw error
    }
  }
}
