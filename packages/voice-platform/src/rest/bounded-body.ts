import { ApiError } from '../resources/api-error.js'

/** Reads a body as text, and no further than it may go. Rejects with an `ApiError` 413 where it goes on. */
export async function boundedText(request: Request, mostBytes: number): Promise<string> {
  const tooLarge = () => new ApiError(413, `The body is larger than ${mostBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge()
  if (!request.body) return ''
  const pieces: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop cancels the stream.
  for await (const piece of request.body) {
    bytes += piece.byteLength
    if (bytes > mostBytes) throw tooLarge()
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces, bytes))
}
