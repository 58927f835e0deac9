import type { AppMessage } from '@heyline/room-protocol'
import type { Link, LinkHandlers, MarkOutcome } from '../link/link.js'

/** A link without a transport, for tests: it keeps what it is given, in order, and plays only when told to. */
export class ScriptedLink implements Link {
  /** All that happened, one word or line each: `open`, `office`, `no office`, `listening`, `send`, `mark`, `clear`, `close:REASON`, or the type of an event. */
  readonly log: string[] = []
  readonly events: AppMessage[] = []
  readonly sent: Int16Array[] = []
  /** Every mark is reached at once. */
  playsAtOnce = true
  /** What a clear tells, in milliseconds, also one after the caller has left. */
  playedMs = 0
  #handlers: LinkHandlers | undefined
  #marks: ((outcome: MarkOutcome) => void)[] = []
  #isClosed = false

  /** What the session listens with: a test speaks, types and leaves through it. Throws while the link is not open. */
  get handlers(): LinkHandlers {
    if (!this.#handlers) throw new Error('The link is not open.')
    return this.#handlers
  }

  /** Events of one type, in order. */
  eventsOf(type: string): AppMessage[] {
    return this.events.filter((event) => event.type === type)
  }

  /** Marks that were neither reached nor cleared yet. */
  get pendingMarks(): number {
    return this.#marks.length
  }

  /** Plays up to the next mark that is pending. */
  playOne(): void {
    this.#marks.shift()?.('played')
  }

  /** Plays all that was sent. */
  playAll(): void {
    for (const settle of this.#marks.splice(0)) settle('played')
  }

  /** The caller hangs up. */
  leave(reason: 'left' | 'lost' = 'left'): void {
    this.#isClosed = true
    this.#settle()
    this.handlers.onClosed(reason)
  }

  open(handlers: LinkHandlers): void {
    this.log.push('open')
    this.#handlers = handlers
  }

  office(isOn = true): void {
    this.log.push(isOn ? 'office' : 'no office')
  }

  send(samples: Int16Array): void {
    if (this.#isClosed) return
    this.log.push('send')
    this.sent.push(samples)
  }

  mark(): Promise<MarkOutcome> {
    if (this.#isClosed) return Promise.resolve('cleared')
    this.log.push('mark')
    if (this.playsAtOnce) return Promise.resolve('played')
    return new Promise((resolve) => this.#marks.push(resolve))
  }

  async clear(): Promise<number> {
    if (this.#isClosed) return this.playedMs
    this.log.push('clear')
    this.#settle()
    return this.playedMs
  }

  listening(): void {
    this.log.push('listening')
  }

  event(message: AppMessage): void {
    if (this.#isClosed) return
    this.log.push(message.type)
    this.events.push(message)
  }

  close(endedReason: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.log.push(`close:${endedReason}`)
    this.#settle()
  }

  #settle(): void {
    for (const settle of this.#marks.splice(0)) settle('cleared')
  }
}
