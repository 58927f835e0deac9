import type { Readable } from 'node:stream'
import type { DownloadPace } from './download-pace.js'

/** A stream of Node as the body of a `Response`, each piece when its turn comes. Whoever gives the body up ends the stream. */
export function bodyOf(stream: Readable, pace: Pick<DownloadPace, 'take'>): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) return controller.close()
      await pace.take(value.byteLength)
      controller.enqueue(value)
    },
    async cancel() {
      stream.destroy()
    },
  })
}
