import type { ClientAddress } from './client-address.js'
import { ClientLine } from './client-line.js'

/** What the desk needs of a visitor's record (specification, 3). */
export interface Visitor {
  slug: string
  /** The assistant's system prompt; may be empty. */
  system?: string | null
  /** What the assistant says first; may be empty. */
  first_message?: string | null
}

/**
 * Looks a visitor up as the page does: exact first, then without regard to case. Resolves with null when there is none,
 * rejects when the lookup failed. The signal tells that nobody waits any more: after `lookupMs`, or when the desk closes.
 */
export type FindVisitor = (slug: string, signal: AbortSignal) => Promise<Visitor | null>

/** A visitor was not read: the backend took too long, or the desk closes. Whether there is one is not known. */
export class LookupError extends Error {
  override readonly name = 'LookupError'
  readonly code: 'timeout' | 'closing'

  constructor(code: 'timeout' | 'closing', message: string) {
    super(message)
    this.code = code
  }
}

/** How many networks may wait for a lookup, and how long, in ms: for the address, for the network, and for the others. */
const IN_LINE = { waiting: 500, longestMs: 3_000 }

export interface VisitorLookupOptions {
  limitMs: number
  /** So many at once, of each network in turn: whoever asks for calls in a flood keeps no page from the database. No limit where it is left out. */
  atOnce?: number | undefined
}

/** Reads visitors, each within a time: a backend that hangs must not keep the desk's places taken, or its callers waiting. */
export class VisitorLookup {
  readonly #find: FindVisitor
  readonly #limitMs: number
  readonly #line: ClientLine | undefined
  readonly #calledOff = new Set<(error: LookupError) => void>()

  constructor(find: FindVisitor, { limitMs, atOnce }: VisitorLookupOptions) {
    this.#find = find
    this.#limitMs = limitMs
    if (atOnce !== undefined) this.#line = new ClientLine({ atOnce, ...IN_LINE })
  }

  /**
   * Null when there is no such visitor. Rejects when it could not be read, with a `LookupError` when it was called off, and with a
   * `NoTurnError` where too many wait. `client` is who asks; undefined: nobody but ourselves.
   */
  async find(slug: string, client?: ClientAddress): Promise<Visitor | null> {
    const calling = new AbortController()
    // Whoever looks may not heed the signal, so nobody waits for it.
    let callOff: (error: LookupError) => void = () => {}
    const calledOff = new Promise<never>((_, reject) => {
      callOff = (error) => {
        calling.abort(error)
        reject(error)
      }
    })
    this.#calledOff.add(callOff)
    const late = new LookupError('timeout', `The backend did not answer within ${this.#limitMs} ms.`)
    const timer = setTimeout(callOff, this.#limitMs, late)
    try {
      const look = async () => {
        // Its turn may come when nobody waits any more.
        calling.signal.throwIfAborted()
        return await this.#find(slug, calling.signal)
      }
      return await Promise.race([this.#line ? this.#line.run(client, look) : look(), calledOff])
    } finally {
      clearTimeout(timer)
      this.#calledOff.delete(callOff)
    }
  }

  /** Calls off what is being looked up now. */
  callOff(): void {
    for (const callOff of this.#calledOff) callOff(new LookupError('closing', 'The call desk closes.'))
  }
}
