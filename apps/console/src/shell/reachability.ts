import type { Clock } from '@heyline/kit/clock'
import { Store } from '@heyline/kit/store'

/** `offline`: the device has no network. `unreachable`: the server does not answer. */
export type Reach = 'reached' | 'offline' | 'unreachable'

export interface ReachabilityParts {
  clock: Clock
  isOnline(): boolean
  /** Resolves with whether the server answered. */
  ask(): Promise<boolean>
  /** It answers again: what is shown may be old. */
  back(): void
}

/** While the server does not answer, it is asked this often, in ms. */
const ASK_MS = 3000

/** Whether the server can be reached, as the console's own requests found it; once they failed, asks until it answers. */
export class Reachability extends Store<Reach> {
  readonly #parts: ReachabilityParts
  #stop = () => {}

  constructor(parts: ReachabilityParts) {
    super('reached')
    this.#parts = parts
  }

  /** A request was not answered, or the device lost its network. */
  failed(): void {
    this.set(this.#parts.isOnline() ? 'unreachable' : 'offline')
    this.#stop()
    this.#stop = this.#parts.clock.after(ASK_MS, () => void this.ask())
  }

  answered(): void {
    if (this.get() === 'reached') return
    this.#stop()
    this.set('reached')
    this.#parts.back()
  }

  async ask(): Promise<void> {
    if (await this.#parts.ask()) this.answered()
    else this.failed()
  }

  stop(): void {
    this.#stop()
  }
}
