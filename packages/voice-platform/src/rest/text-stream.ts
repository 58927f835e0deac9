export interface TextStreamEnds {
  /** Something went wrong, and the answer breaks off. */
  failed(error: unknown): void
  /** Once: the client has all, or has gone, or something went wrong. */
  ended?(): void
}

/** A body whose parts are made when the client takes them. */
export function textStream(
  parts: AsyncGenerator<string | Uint8Array, void>,
  { failed, ended }: TextStreamEnds,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isGone = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const part = await parts.next()
          // Its client left meanwhile.
          if (isGone) return
          if (!part.done)
            return controller.enqueue(
              typeof part.value === 'string' ? encoder.encode(part.value) : part.value,
            )
          ended?.()
          controller.close()
        } catch (error) {
          ended?.()
          failed(error)
          controller.error(error)
        }
      },
      async cancel() {
        isGone = true
        ended?.()
        await parts.return()
      },
    },
    { highWaterMark: 0 },
  )
}
