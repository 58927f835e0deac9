import type { Clock } from '@heyline/kit/clock'
import type { Transcriber, WaitingTranscription } from '../engines/engine.js'
import type { PlatformMeasures } from './platform-measures.js'

/** How long a connection waits for its caller's first words, in milliseconds: as long as a phone rings, and a greeting. */
export const UNUSED_MS = 45_000
/** Most connections that wait at once. Calls beyond that connect at their first words. */
export const MOST_WAITING = 50

export interface EarlyListenersOptions {
  transcriber: Transcriber
  measures?: Pick<PlatformMeasures, 'openedAhead'> | undefined
  clock: Clock
}

interface Waiting {
  connection: WaitingTranscription
  stop(): void
}

/** Connections to the transcriber that are opened while a phone rings or a room is empty, so that the caller's first words wait for none. */
export class EarlyListeners {
  readonly #options: EarlyListenersOptions
  readonly #waiting = new Map<string, Waiting>()

  constructor(options: EarlyListenersOptions) {
    this.#options = options
  }

  /** This call is about to begin. Nothing happens where its connection waits already, or the engine has none to open. Never throws. */
  expect(callId: string): void {
    const { transcriber, clock } = this.#options
    if (this.#waiting.has(callId) || this.#waiting.size >= MOST_WAITING) return
    const connection = transcriber.openAhead?.()
    if (connection)
      this.#waiting.set(callId, { connection, stop: clock.after(UNUSED_MS, () => this.forget(callId)) })
  }

  /** The transcriber of this call: its first turn goes over the connection that waits for it. */
  transcriberOf(callId: string): Transcriber {
    const { transcriber, measures } = this.#options
    const { open } = transcriber
    if (!open || !this.#waiting.has(callId)) return transcriber
    const first: Transcriber['open'] = (events) => {
      const waiting = this.#taken(callId)
      if (!waiting) return open.call(transcriber, events)
      const stream = waiting.connection.listen(events)
      measures?.openedAhead(stream ? 'used' : 'broken')
      return stream ?? open.call(transcriber, events)
    }
    return new Proxy(transcriber, {
      get(target, key) {
        if (key === 'open') return first
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  /** Nobody speaks in this call any more. Idempotent. */
  forget(callId: string): void {
    const waiting = this.#taken(callId)
    if (!waiting) return
    waiting.connection.close()
    this.#options.measures?.openedAhead('unused')
  }

  close(): void {
    for (const callId of [...this.#waiting.keys()]) this.forget(callId)
  }

  #taken(callId: string): Waiting | undefined {
    const waiting = this.#waiting.get(callId)
    this.#waiting.delete(callId)
    waiting?.stop()
    return waiting
  }
}
