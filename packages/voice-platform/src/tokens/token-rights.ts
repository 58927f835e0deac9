import type { Clock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'
import type { TokenRestrictions } from '@heyline/platform-client'

/** What a token may do. */
export interface TokenRights {
  tag: 'private' | 'public'
  restrictions: TokenRestrictions | null
}

/** How long a token is remembered, in ms. Another process may have taken its rights meanwhile. */
const REMEMBERED_MS = 5_000
/** Most tokens that are remembered; the first found ones are forgotten first. */
const MOST = 1_000

/** What the tokens that were found lately may do, by their hashes. Tokens that do not exist are not remembered: there is no end of them. */
export class RememberedRights {
  readonly #clock: Clock
  readonly #found = new RecentMap<string, { rights: TokenRights; until: number }>(MOST)
  #forgotten = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  of(hash: string): TokenRights | undefined {
    const found = this.#found.get(hash)
    return found && found.until > this.#clock.monotonic() ? found.rights : undefined
  }

  /** Returns a function that remembers what a look-up found which begins now; not where something was changed since. */
  asOfNow(): (hash: string, rights: TokenRights) => void {
    const [forgotten, until] = [this.#forgotten, this.#clock.monotonic() + REMEMBERED_MS]
    return (hash, rights) => {
      if (forgotten !== this.#forgotten) return
      this.#found.set(hash, { rights, until })
    }
  }

  /** Forgets all: a token was changed. */
  forget(): void {
    this.#forgotten += 1
    this.#found.clear()
  }
}
