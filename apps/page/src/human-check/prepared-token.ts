/** Tokens are good for five minutes; one that is older than this may not arrive in time. */
const FRESH_MS = 4 * 60_000
/** The longest that the making of one token may take: a slow phone works a minute where its network asked for many calls. */
const MAKING_MS = 2 * 60_000

/** Makes a token that is good for one use. */
export type MakeToken = (signal: AbortSignal) => Promise<string>

interface Making {
  readonly begun: number
  readonly ending: AbortController
  readonly token: Promise<string>
  done: boolean
}

/** A token that is made ahead of its use: one at a time, each given away once, none that is old. */
export class PreparedToken {
  readonly #make: MakeToken
  readonly #now: () => number
  #making: Making | undefined

  constructor(make: MakeToken, now: () => number = Date.now) {
    this.#make = make
    this.#now = now
  }

  /** Begins to make a token where there is none. A failure shows when the token is asked for, and only then. */
  prepare(): void {
    this.#current().token.catch((error) => console.debug('No token was made ahead.', error))
  }

  /**
   * The token, once it is there. Rejects when it could not be made, and at the end of `signal`: then the making goes on, for
   * the next who asks.
   */
  async token(signal?: AbortSignal): Promise<string> {
    const making = this.#current()
    const token = await Promise.race([making.token, endOf(signal)])
    this.#forget(making)
    return token
  }

  /** Ends a making that is under way; a token that is there stays, for the next who asks. */
  drop(): void {
    const making = this.#making
    if (!making || making.done) return
    making.ending.abort()
    this.#forget(making)
  }

  #current(): Making {
    const held = this.#making
    if (held && this.#now() - held.begun < FRESH_MS) return held
    held?.ending.abort()
    const begun = this.#begin()
    this.#making = begun
    return begun
  }

  #begin(): Making {
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(), MAKING_MS)
    const making: Making = {
      begun: this.#now(),
      ending,
      done: false,
      token: this.#make(ending.signal).finally(() => {
        clearTimeout(timer)
        making.done = true
      }),
    }
    // One that failed is not kept: who asks next has a new one made.
    making.token.catch(() => this.#forget(making))
    return making
  }

  #forget(making: Making): void {
    if (this.#making === making) this.#making = undefined
  }
}

/** Rejects when the signal ends. */
function endOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
