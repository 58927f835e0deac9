import { ApiError } from '../resources/api-error.js'

/** Reads a body as text, and no further than it may go. Rejects with an `ApiError`: 413 where it goes on, 400 where it breaks off. */
export const boundedText = async (request: Request, mostBytes: number): Promise<string> =>
  new TextDecoder().decode(await boundedBytes(request, mostBytes))

/** The same as bytes. */
export async function boundedBytes(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new ApiError(413, `The body is larger than ${mostBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge()
  if (!request.body) return new Uint8Array()
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    // Leaving the loop cancels the stream.
    for await (const piece of request.body) {
      bytes += piece.byteLength
      if (bytes > mostBytes) throw tooLarge()
      pieces.push(piece)
    }
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw new ApiError(400, 'The body broke off.', { cause })
  }
  return Uint8Array.from(Buffer.concat(pieces, bytes))
}
