import { Store } from '@heyline/kit/store'
import { Kept } from '../state/kept.js'
import type { AssistantTexts } from '../visitor/visitor.js'
import { type CallButton, type CallButtonEvent, IDLE_BUTTON, nextCallButton } from './call-button.js'

/** The part of a call client that the button needs. */
export interface CallClient {
  /** Starts a call; resolves with the call, or with null when it did not start. It is in progress only once `onStart` was called. */
  start(texts: AssistantTexts): Promise<object | null>
  /** Ends whatever was started, also while it is still starting. */
  stop(): Promise<void>
}

/** What a call client reports. Each is called by itself, not as a method. */
export interface CallListeners {
  onStart: () => void
  onEnd: () => void
  onError: (error: unknown) => void
}

/** Where a browser call gets its parts; both are asked on the first press, and again after a failure. */
export interface CallParts {
  loadClient(listeners: CallListeners): Promise<CallClient>
  readTexts(): Promise<AssistantTexts>
}

/**
 * The 'Test in Browser' button (spec 4, 8). Whatever goes wrong returns it to idle without a message; the cause is
 * left in the browser's console. One client serves all attempts: a new one starts when the last has been stopped, and
 * reports count for the attempt whose start was called last.
 */
export class BrowserCall extends Store<CallButton> {
  readonly #parts: CallParts
  readonly #client: Kept<CallClient>
  /** The attempt that the client's reports belong to. */
  #live: number | undefined
  #stopping: Promise<void> | undefined

  constructor(parts: CallParts) {
    super(IDLE_BUTTON)
    this.#parts = parts
    this.#client = new Kept(() =>
      parts.loadClient({
        onStart: () => this.#report('started'),
        onEnd: () => this.#report('ended'),
        onError: (error) => {
          console.warn('The browser call failed.', error)
          this.#report('ended')
          void this.#stop()
        },
      }),
    )
  }

  /** Loads the client ahead of a press, which tries again should this fail. */
  warm(): void {
    this.#client.warm()
  }

  /** Begins a call, is ignored while one connects, and stops one in progress. */
  press(): void {
    const { phase } = this.get()
    this.#apply({ type: 'pressed' })
    if (phase === 'idle') void this.#begin(this.get().attempt)
    if (phase === 'in-call') void this.#stop()
  }

  async #begin(attempt: number): Promise<void> {
    try {
      const [client, texts] = await Promise.all([this.#client.get(), this.#parts.readTexts(), this.#stopping])
      this.#live = attempt
      if (!(await client.start(texts))) this.#apply({ type: 'ended', attempt })
    } catch (error) {
      console.warn('The browser call failed.', error)
      this.#apply({ type: 'ended', attempt })
    }
  }

  #report(type: 'started' | 'ended'): void {
    if (this.#live !== undefined) this.#apply({ type, attempt: this.#live })
  }

  /** Stops the client once, however often it is asked meanwhile; the attempt is over when it has stopped. */
  #stop(): Promise<void> {
    this.#stopping ??= this.#stopClient().finally(() => {
      this.#stopping = undefined
    })
    return this.#stopping
  }

  async #stopClient(): Promise<void> {
    const attempt = this.#live
    if (attempt === undefined) return
    try {
      await this.#client.value?.stop()
    } catch (error) {
      console.warn('The browser call failed.', error)
    }
    this.#apply({ type: 'ended', attempt })
    if (this.#live === attempt) this.#live = undefined
  }

  #apply(event: CallButtonEvent): void {
    this.set(nextCallButton(this.get(), event))
  }
}
