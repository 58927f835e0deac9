import type { IncomingMessage } from 'node:http'
import type { Connection } from './connection.js'

/** How long the body of a request may take, in ms. Any line that can carry a call sends a megabyte in this time. */
const BODY_MS = 30_000

/** Finds clients that do not finish sending a request. Until a body is complete, we hold its beginning in memory. */
export class SlowBodies {
  readonly #bodyMs: number
  readonly #sinceMs = new WeakMap<IncomingMessage, number>()

  constructor(bodyMs = BODY_MS) {
    this.#bodyMs = bodyMs
  }

  /** Looks at the connections, so many ms after the last look. Returns those to cut. */
  look(connections: Iterable<Connection>, elapsedMs: number): Connection[] {
    return [...connections].filter(({ answers, admin }) => {
      if (admin) return false
      const arriving = [...answers.keys()].map(({ req }) => req).filter(({ complete }) => !complete)
      return arriving.some((request) => this.#age(request, elapsedMs) >= this.#bodyMs)
    })
  }

  /** How long a request has been arriving; 0 when it is first seen. */
  #age(request: IncomingMessage, elapsedMs: number): number {
    const before = this.#sinceMs.get(request)
    const ageMs = before === undefined ? 0 : before + elapsedMs
    this.#sinceMs.set(request, ageMs)
    return ageMs
  }
}
