import type { Clock } from '@heyline/kit/clock'
import { Store } from '@heyline/kit/store'

/** What `EventSource` has, as far as it is used here. */
export interface EventStream {
  readonly readyState: number
  addEventListener(name: string, listener: () => void): void
  close(): void
}

export interface LiveParts {
  clock: Clock
  open(): EventStream
  /** The events that are listened to. */
  names: readonly string[]
  /** An event came: what it is about has changed. */
  on(name: string): void
  /** Everything may have changed: after a gap, and again and again while nothing comes. */
  refresh(): void
}

/** First wait before the stream is opened anew, and the longest, in ms: each wait is twice the one before. */
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** While there is no stream everything is asked for this often, in ms. */
const POLL_MS = 5000
/** What `readyState` is once the browser has given up: it opens a stream anew by itself only after a lost connection, not after a refusal. */
const CLOSED = 2

/** `live`: changes come by themselves. `polling`: they are asked for. */
export type LiveState = 'opening' | 'live' | 'polling'

/** Follows what changes on the server, by one stream of events; by asking again and again where there is none. */
export class Live extends Store<LiveState> {
  readonly #parts: LiveParts
  #stream: EventStream | undefined
  #waitMs = FIRST_WAIT_MS
  #stopWaiting = () => {}
  #stopPolling = () => {}

  constructor(parts: LiveParts) {
    super('opening')
    this.#parts = parts
  }

  start(): void {
    if (this.#stream) return
    const { names, on } = this.#parts
    const stream = this.#parts.open()
    this.#stream = stream
    stream.addEventListener('open', () => this.#opened())
    stream.addEventListener('error', () => this.#lost(stream))
    for (const name of names) stream.addEventListener(name, () => on(name))
  }

  stop(): void {
    this.#stopWaiting()
    this.#stopPolling()
    this.#stream?.close()
    this.#stream = undefined
    this.set('opening')
  }

  #opened(): void {
    const hadGap = this.get() === 'polling'
    this.#waitMs = FIRST_WAIT_MS
    this.#stopPolling()
    this.set('live')
    if (hadGap) this.#parts.refresh()
  }

  #lost(stream: EventStream): void {
    if (stream !== this.#stream) return
    if (this.get() !== 'polling') {
      this.set('polling')
      this.#poll()
    }
    if (stream.readyState !== CLOSED) return
    this.#stream = undefined
    this.#stopWaiting = this.#parts.clock.after(this.#waitMs, () => this.start())
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS)
  }

  #poll(): void {
    this.#stopPolling = this.#parts.clock.after(POLL_MS, () => {
      this.#parts.refresh()
      this.#poll()
    })
  }
}
