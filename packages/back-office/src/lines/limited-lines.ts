import { LinesError } from './lines-error.js'

/** Largest body of lines, in bytes: it is held in memory, so that the database waits for storing only. */
export const LINES_LIMIT_BYTES = 100_000_000

/** The same body; it fails with a `LinesError` past the limit. */
export function limitedLines(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let bytes = 0
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > LINES_LIMIT_BYTES)
          throw new LinesError(
            `The visitors are more than ${LINES_LIMIT_BYTES / 1_000_000} MB at once: stop the server and import then, or split the file`,
          )
        controller.enqueue(chunk)
      },
    }),
  )
}
