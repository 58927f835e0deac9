/** The bytes of a body. Rejects with a `RangeError` where there are more than these; the rest is not read. */
export async function boundedBytes(
  { body }: { body: ReadableStream<Uint8Array> | null },
  mostBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop cancels the stream.
  for await (const piece of body ?? []) {
    bytes += piece.byteLength
    if (bytes > mostBytes) throw new RangeError(`there are more than ${mostBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces, bytes)
}

/** The same as text. */
export const boundedText = async (
  of: Parameters<typeof boundedBytes>[0],
  mostBytes: number,
): Promise<string> => new TextDecoder().decode(await boundedBytes(of, mostBytes))
