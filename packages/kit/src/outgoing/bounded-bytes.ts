/**
 * The bytes of a body. Rejects with a `RangeError` where there are more than these, and with the signal's reason where that comes first; the rest is
 * not read. Give it the signal that `fetch` was given, too: once an answer has begun, Node 20 may forget that one when it collects garbage, and a body
 * that never ends would be waited for.
 */
export async function boundedBytes(
  { body }: { body: ReadableStream<Uint8Array> | null },
  mostBytes: number,
  signal?: AbortSignal | null,
): Promise<Buffer<ArrayBuffer>> {
  signal?.throwIfAborted()
  const reader = body?.getReader()
  if (!reader) return Buffer.alloc(0)
  const leave = (reason: unknown) => void reader.cancel(reason).catch(() => {})
  const abort = () => leave(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal?.throwIfAborted()
      if (done) return Buffer.concat(pieces, bytes)
      bytes += value.byteLength
      if (bytes > mostBytes) throw new RangeError(`there are more than ${mostBytes} bytes`)
      pieces.push(value)
    }
  } catch (error) {
    leave(error)
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** The same as text. */
export const boundedText = async (...of: Parameters<typeof boundedBytes>): Promise<string> =>
  new TextDecoder().decode(await boundedBytes(...of))
