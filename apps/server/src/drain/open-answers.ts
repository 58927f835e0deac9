import type { IncomingMessage, ServerResponse } from 'node:http'

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** The answers that are under way, for a process that is about to stop: it wants its clients to come to another one. */
export class OpenAnswers {
  readonly #open = new Set<ServerResponse>()
  #isLeaving = false

  /** The same handler, with its answers watched. */
  of(handler: Handler): Handler {
    return (request, response) => {
      this.#open.add(response)
      response.once('close', () => this.#open.delete(response))
      if (this.#isLeaving) response.shouldKeepAlive = false
      return handler(request, response)
    }
  }

  /** From now on each answer is the last of its connection, and says so (`Connection: close`). */
  leave(): void {
    this.#isLeaving = true
    for (const response of this.#open) response.shouldKeepAlive = false
  }

  /** Cuts the event streams that are open now. Their clients connect again, where there is another process: to that one. */
  cutStreams(): void {
    for (const response of this.#open)
      if (String(response.getHeader('content-type')).startsWith('text/event-stream')) response.destroy()
  }
}
