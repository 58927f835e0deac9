/** What is said of a body that does not read. */
export interface BodyRefusals {
  tooLarge(): Error
  /** It broke off, or is not UTF-8. */
  unreadable(cause: unknown): Error
}

/** The text of a body of at most `limit` bytes. */
export async function readText(
  request: Request,
  limit: number,
  { tooLarge, unreadable }: BodyRefusals,
): Promise<string> {
  if (Number(request.headers.get('content-length')) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      // Leaving the loop cancels the stream.
      if (size > limit) throw tooLarge()
      chunks.push(chunk)
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw size > limit ? cause : unreadable(cause)
  }
}
