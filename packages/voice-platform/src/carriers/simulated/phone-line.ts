import type { AppMessage } from '@heyline/room-protocol'
import { CallerFeed } from '../../link/caller-feed.js'
import type { CallerWords } from '../../link/caller-words.js'
import type { Link, LinkHandlers, MarkOutcome } from '../../link/link.js'

/** What a transfer hears of whoever has the phone. */
export type Listener = Pick<LinkHandlers, 'onAudio' | 'onDigit'>

/**
 * The link to whoever answered a call, as the carrier keeps it: lent to a session, taken from it by a transfer, and lent again when that
 * comes to nothing.
 */
export class PhoneLine {
  readonly #link: Link
  #lent: LentLink
  /** Hears whoever has the phone, once the line is taken. */
  #taken: Listener | undefined

  /** Lends the link at once: see `lent`. */
  constructor(link: Link) {
    this.#link = link
    this.#lent = new LentLink(link)
    link.open({
      onAudio: (samples) => this.#listener.onAudio(samples),
      onMessage: (message) => this.#listener.onMessage(message),
      onDigit: (digit) => this.#listener.onDigit(digit),
      onClosed: (reason) => this.#listener.onClosed(reason),
    })
  }

  /** What the session has of it. */
  get lent(): Link {
    return this.#lent
  }

  /** Takes the line from the session, which hears that its caller has left. What is not yet heard of its speech is dropped. */
  take(listener: Listener): void {
    this.#taken = listener
    void this.#link.clear()
    this.#lent.end()
  }

  /** Lends the line again. */
  lend(): Link {
    this.#taken = undefined
    this.#lent = new LentLink(this.#link)
    return this.#lent
  }

  /** Speech for whoever has the phone, once the line is taken. */
  get sound(): Pick<Link, 'send' | 'mark' | 'clear'> {
    return this.#link
  }

  close(endedReason: string): void {
    this.#link.close(endedReason)
  }

  get #listener(): LinkHandlers {
    const listener = this.#taken
    if (!listener) return this.#lent.caller
    const onMessage = ({ type }: AppMessage) => {
      if (type === 'hangup') this.close('customer-ended-call')
    }
    return { ...listener, onMessage, onClosed: () => {} }
  }
}

/** A session's link, until the line is taken from it. */
class LentLink implements Link {
  readonly words: CallerWords | undefined
  readonly #link: Link
  readonly #feed = new CallerFeed()
  #isTaken = false
  /** What the phone tells. */
  readonly caller: LinkHandlers = {
    onAudio: (samples) => this.#feed.audio(samples),
    onMessage: (message) => this.#feed.message(message),
    onDigit: (digit) => this.#feed.digit(digit),
    onClosed: (reason) => this.#feed.closed(reason),
  }

  constructor(link: Link) {
    this.#link = link
    this.words = link.words
  }

  /** Nothing passes any more. The session hears that its caller has left. */
  end(): void {
    this.#isTaken = true
    this.#feed.closed('left')
  }

  open(handlers: LinkHandlers): void {
    this.#feed.open(handlers)
  }

  send(samples: Int16Array): void {
    if (!this.#isTaken) this.#link.send(samples)
  }

  async mark(): Promise<MarkOutcome> {
    return this.#isTaken ? 'cleared' : this.#link.mark()
  }

  async clear(): Promise<number> {
    return this.#isTaken ? 0 : this.#link.clear()
  }

  listening(): void {
    if (!this.#isTaken) this.#link.listening()
  }

  event(message: AppMessage): void {
    if (!this.#isTaken) this.#link.event(message)
  }

  close(endedReason: string): void {
    if (!this.#isTaken) this.#link.close(endedReason)
  }
}
