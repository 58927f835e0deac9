/** The text of an answer. Rejects where it is longer than this; the rest is not read. */
export async function boundedAnswer(response: Response, mostBytes: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop cancels the stream.
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > mostBytes) throw new RangeError(`the answer is larger than ${mostBytes} bytes`)
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces, bytes))
}
