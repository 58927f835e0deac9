import type { Leave } from '@heyline/kit/waiting-line'

/** The same body, whose turn ends with it: when all of it is read, when it breaks off, and when the client goes away. */
export function heldBody(
  body: ReadableStream<Uint8Array>,
  leave: Leave,
  left: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const end = () => {
    left.removeEventListener('abort', cut)
    leave()
  }
  const cut = () => {
    end()
    // What broke it off is no further news.
    reader.cancel().catch(() => undefined)
  }
  left.addEventListener('abort', cut, { once: true })
  if (left.aborted) cut()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          end()
          controller.close()
        } catch (error) {
          end()
          throw error
        }
      },
      async cancel(reason) {
        end()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
