import { untilAborted } from '../../work/abortable.js'
import { impatient, type Takeover } from './takeover.js'

/** The items of the first source, or of the second where the first fails or stays silent before its first item. */
export async function* streamOfEither<T>(
  engine: string,
  takeover: Takeover,
  signal: AbortSignal,
  first: (signal: AbortSignal) => AsyncIterable<T>,
  second: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  signal.throwIfAborted()
  if (takeover.isOn) return yield* second()
  const wait = impatient(engine, takeover, signal)
  let isBegun = false
  try {
    for await (const item of untilAborted(first(wait.signal), wait.signal)) {
      isBegun = true
      wait.begun()
      yield item
    }
    return
  } catch (error) {
    signal.throwIfAborted()
    takeover.begin(error)
    if (isBegun) throw error
  } finally {
    wait.release()
  }
  yield* second()
}
