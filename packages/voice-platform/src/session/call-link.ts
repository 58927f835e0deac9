import type { AppMessage } from '@heyline/room-protocol'
import type { CallerWords } from '../link/caller-words.js'
import type { Link, LinkHandlers, MarkOutcome } from '../link/link.js'

/** The link of a session. After a transfer that nobody answered, another link takes its place. */
export class CallLink implements Link {
  readonly words: CallerWords | undefined
  #link: Link
  #handlers: LinkHandlers | undefined
  #isOffice = false

  constructor(link: Link) {
    this.words = link.words
    this.#link = link
  }

  /** The caller is at the other end of this link now. What the last one still tells does not count. */
  replace(link: Link): void {
    this.#link = link
    if (this.#isOffice) link.office?.()
    this.#open()
  }

  open(handlers: LinkHandlers): void {
    this.#handlers = handlers
    this.#open()
  }

  send(samples: Int16Array): void {
    this.#link.send(samples)
  }

  get press(): Link['press'] {
    return this.#link.press?.bind(this.#link)
  }

  /** Another link that takes the place of this one sounds the same. */
  office(isOn = true): void {
    if (isOn === this.#isOffice) return
    this.#isOffice = isOn
    this.#link.office?.(isOn)
  }

  mark(): Promise<MarkOutcome> {
    return this.#link.mark()
  }

  clear(): Promise<number> {
    return this.#link.clear()
  }

  listening(): void {
    this.#link.listening()
  }

  event(message: AppMessage): void {
    this.#link.event(message)
  }

  close(endedReason: string): void {
    this.#link.close(endedReason)
  }

  #open(): void {
    const handlers = this.#handlers
    if (!handlers) return
    const link = this.#link
    const ours =
      <Args extends unknown[]>(tell: (...args: Args) => void) =>
      (...args: Args) => {
        if (this.#link === link) tell(...args)
      }
    link.open({
      onAudio: ours(handlers.onAudio),
      onMessage: ours(handlers.onMessage),
      onDigit: ours(handlers.onDigit),
      onClosed: ours(handlers.onClosed),
    })
  }
}
