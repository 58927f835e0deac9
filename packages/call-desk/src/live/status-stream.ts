import { CALL_MOVES, type CallState } from '../call/call-state.js'
import { type CallStatus, isOver, statesAfter } from './call-status.js'

/** How long a browser waits until it comes back when its stream broke, in milliseconds. */
const RETRY_MS = 3000

/** So many unread pieces, and the client is taken as gone: a call has a handful of states, and a heartbeat comes every 15 s. */
const MOST_UNREAD = 32

const encoder = new TextEncoder()

/** Server-sent events of one request to one client (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class StatusStream {
  readonly body: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #told: CallState | undefined
  readonly #onEnd: () => void

  /** `onEnd` is called once, when the stream is over, whoever ended it. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller
      },
      cancel: () => this.#forget(),
    })
    this.#send(`retry: ${RETRY_MS}\n\n`)
  }

  /** Tells what is new in it, and ends with the last of it. */
  tell(status: CallStatus): void {
    for (const state of statesAfter(this.#told, status)) {
      const outcome = CALL_MOVES[state].length === 0 ? (status.outcome ?? undefined) : undefined
      this.#send(`id: ${state}\nevent: state\ndata: ${JSON.stringify({ state, outcome })}\n\n`)
      this.#told = state
    }
    if (isOver(status)) this.end()
  }

  /** Keeps proxies from ending a silent stream, and finds clients that are gone. */
  beat(): void {
    this.#send(':\n\n')
  }

  /** Idempotent. */
  end(): void {
    this.#controller?.close()
    this.#forget()
  }

  #send(text: string): void {
    this.#controller?.enqueue(encoder.encode(text))
    if ((this.#controller?.desiredSize ?? 0) < -MOST_UNREAD) this.end()
  }

  #forget(): void {
    if (!this.#controller) return
    this.#controller = undefined
    this.#onEnd()
  }
}
