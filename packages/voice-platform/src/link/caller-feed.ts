import type { AppMessage } from '@heyline/room-protocol'
import type { LinkHandlers } from './link.js'

/** Most deliveries that wait until the link is opened: ten seconds of 20 ms frames. Further ones are dropped. */
const MOST_WAITING = 500

type Delivery = (handlers: LinkHandlers) => void

/** What the caller sends over a link. It is kept until the link is opened, then passed on in order. Nothing passes after the end. */
export class CallerFeed {
  #handlers: LinkHandlers | undefined
  #waiting: Delivery[] = []
  #over = false

  /** True once the caller is gone or the link was closed. */
  get over(): boolean {
    return this.#over
  }

  open(handlers: LinkHandlers): void {
    this.#handlers = handlers
    const waiting = this.#waiting
    this.#waiting = []
    for (const deliver of waiting) deliver(handlers)
  }

  audio(samples: Int16Array): void {
    this.#take((handlers) => handlers.onAudio(samples))
  }

  message(message: AppMessage): void {
    this.#take((handlers) => handlers.onMessage(message))
  }

  digit(digit: string): void {
    this.#take((handlers) => handlers.onDigit(digit))
  }

  /** The caller is gone: told once, also to handlers that come later. */
  closed(reason: 'left' | 'lost'): void {
    if (this.#over) return
    this.#over = true
    if (this.#handlers) this.#handlers.onClosed(reason)
    else this.#waiting.push((handlers) => handlers.onClosed(reason))
  }

  /** Our own side has closed the link: nothing is delivered any more. */
  end(): void {
    this.#over = true
    this.#waiting = []
  }

  #take(deliver: Delivery): void {
    if (this.#over) return
    if (this.#handlers) deliver(this.#handlers)
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push(deliver)
  }
}
