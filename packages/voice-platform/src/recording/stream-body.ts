import type { Readable } from 'node:stream'

/** A stream of Node as the body of a `Response`. Whoever gives the body up ends the stream. */
export function bodyOf(stream: Readable): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      stream.destroy()
    },
  })
}
