import { setTimeout as delay } from 'node:timers/promises'

/** Shortest rest, in ms. */
const REST_MS = 10

/** The same pieces. Rests as long as whoever takes them has worked: that has one half of a core at most. */
export async function* halfOfTheTime(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let since = performance.now()
  for await (const piece of pieces) {
    yield piece
    const workedMs = performance.now() - since
    if (workedMs < REST_MS) continue
    await delay(workedMs)
    since = performance.now()
  }
}
