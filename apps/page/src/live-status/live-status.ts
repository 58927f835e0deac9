import { statusOf } from './call-news.js'
import { createStatusLine, type StatusLine } from './status-line.js'

/** What is used of an `EventSource`. */
export interface EventStream {
  readonly readyState: number
  addEventListener(type: string, listener: (event: Event) => void): void
  close(): void
}

/** `EventSource.CLOSED`: it will not try again. */
const CLOSED = 2

/** Follows one call after another, by the server's events, and says in one line what becomes of it. */
export class LiveStatus {
  readonly #base: string
  readonly #line: StatusLine
  readonly #open: (url: string) => EventStream
  #stream: EventStream | undefined

  /** `base`: the address below which `/{id}/events` tells of a request. */
  constructor(
    base: string,
    line: StatusLine,
    open: (url: string) => EventStream = (url) => new EventSource(url),
  ) {
    this.#base = base
    this.#line = line
    this.#open = open
  }

  /**
   * Follows the request of this id, and no other any more. A connection that breaks is made again by the browser, and the line stays
   * meanwhile; one that the server does not give takes the line away.
   */
  follow(id: unknown): void {
    this.end()
    if (typeof id !== 'string' || id === '') return
    const stream = this.#open(`${this.#base}/${encodeURIComponent(id)}/events`)
    this.#stream = stream
    stream.addEventListener('state', (event) => {
      const status = this.#stream === stream && event instanceof MessageEvent && statusOf(event.data)
      if (!status) return
      this.#line.say(status.text, status.final)
      if (!status.final) return
      stream.close()
      this.#stream = undefined
    })
    stream.addEventListener('error', () => {
      if (this.#stream === stream && stream.readyState === CLOSED) this.end()
    })
  }

  /** Follows nothing any more, and says nothing. */
  end(): void {
    this.#stream?.close()
    this.#stream = undefined
    this.#line.clear()
  }
}

/** The live status of a page's calls, its line in place and empty. A chunk of its own. */
export function createLiveStatus(base: string): LiveStatus {
  return new LiveStatus(base, createStatusLine())
}
