import { VisitorError } from '@heyline/backend'

/** Largest import through a server, in bytes: it is held in memory, so that the database waits for storing only. */
export const IMPORT_LIMIT_BYTES = 100_000_000

export const tooLarge = (limit: number, remedy: string) =>
  new VisitorError('too_large', `The visitors are more than ${limit / 1_000_000} MB at once: ${remedy}`)

const REMEDY = 'stop the server and import then, or split the file'

/** The same body; it fails with a `VisitorError` past the limit. */
export function limited(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let bytes = 0
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > IMPORT_LIMIT_BYTES) throw tooLarge(IMPORT_LIMIT_BYTES, REMEDY)
        controller.enqueue(chunk)
      },
    }),
  )
}
