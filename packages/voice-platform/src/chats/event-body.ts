import { ApiError } from '../resources/api-error.js'
import type { ChatEvents } from './chat-events.js'

/**
 * Events as the body of an answer (server-sent events), once the first is there: what fails before it rejects, so that it has a status. An
 * answer is short, so it is written at once, however slowly its client reads. Whoever gives the body up ends it.
 */
export async function eventBody(
  events: ChatEvents,
  gone: AbortController,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  const first = await events.next()
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = async () => {
        for (let event = first; !event.done; event = await events.next())
          controller.enqueue(encoder.encode(`data: ${JSON.stringify(event.value)}\n\n`))
        controller.close()
      }
      // A body that was given up takes nothing more.
      write().catch((error: unknown) => {
        if (!gone.signal.aborted) controller.error(error)
      })
    },
    cancel() {
      gone.abort(new ApiError(503, 'The client has gone.'))
    },
  })
}
