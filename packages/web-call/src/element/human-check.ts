import { fetchJson } from './fetched-json.js'
import { type Challenge, solveChallenge } from './proof-of-work.js'

/** Tokens are good for five minutes; one that is older than this may not arrive in time. */
const FRESH_MS = 4 * 60_000
/** The longest that one may take to make. */
const MAKING_MS = 2 * 60_000

/** The server's human check for a slug: a token that is made when somebody is about to press, and given away once. */
export class HumanCheck {
  readonly #server: string
  readonly #slug: string
  readonly #now: () => number
  #made: { at: number; token: Promise<string> } | undefined

  constructor(server: string, slug: string, now: () => number = Date.now) {
    this.#server = server
    this.#slug = slug
    this.#now = now
  }

  /** Begins to make a token, where there is none that is fresh. A failure shows when the token is asked for. */
  prepare(): Promise<string> {
    const held = this.#made
    if (held && this.#now() - held.at < FRESH_MS) return held.token
    const made = { at: this.#now(), token: this.#make(AbortSignal.timeout(MAKING_MS)) }
    made.token.catch(() => {
      if (this.#made === made) this.#made = undefined
    })
    this.#made = made
    return made.token
  }

  /** The token, for one use. */
  async token(): Promise<string> {
    const token = await this.prepare()
    this.#made = undefined
    return token
  }

  async #make(signal: AbortSignal): Promise<string> {
    const url = `${this.#server}/-/human-check?slug=${encodeURIComponent(this.#slug)}`
    const challenge = await fetchJson(url, signal)
    if (!isChallenge(challenge)) throw new Error(`The human check of ${this.#server} could not be read.`)
    const solution = await solveChallenge(challenge, signal)
    const proof = new TextEncoder().encode(JSON.stringify({ challenge, solution }))
    return btoa(String.fromCharCode(...proof))
  }
}

const isChallenge = (said: unknown): said is Challenge =>
  typeof said === 'object' &&
  said !== null &&
  'parameters' in said &&
  typeof said.parameters === 'object' &&
  said.parameters !== null &&
  'nonce' in said.parameters &&
  'salt' in said.parameters &&
  'cost' in said.parameters &&
  'algorithm' in said.parameters
