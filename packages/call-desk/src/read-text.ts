/**
 * The body as text, or undefined when it is longer than `maxBytes`; reading stops there. Rejects with a `TypeError` when it is not UTF-8.
 */
export async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined
  if (!request.body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let length = 0
  let text = ''
  // Leaving the loop cancels the stream.
  for await (const chunk of request.body) {
    length += chunk.byteLength
    if (length > maxBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
