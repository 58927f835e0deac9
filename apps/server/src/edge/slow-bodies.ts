import type { IncomingMessage } from 'node:http'
import type { Connection } from './connection.js'
import { isOfficeRequest } from './office-path.js'

/** How long the body of a request may take, in ms. Any line that can carry a call sends a megabyte in this time. */
const BODY_MS = 30_000
/** How long that of a network may take that has more than its share when nearly all places are taken, in ms. */
const GREEDY_BODY_MS = 3_000
/** Operators' bodies may take so long, in ms: their client waits no longer for the answer. */
const OFFICE_BODY_MS = 10 * 60_000
/** Most that may have come of unfinished bodies of all clients, in bytes. Beyond it, those go first that have taken longest. */
const MOST_OF_ALL = 64_000_000

/** A request whose body has not come in full. */
interface Arriving {
  connection: Connection
  request: IncomingMessage
  ofOffice: boolean
  ageMs: number
  /** For how long nothing has come of it. */
  silentMs: number
  bytes: number
}

/**
 * Finds clients that do not finish sending a request. Until a body is complete, we hold its beginning in memory. Operators may take their
 * time as long as something comes; how much of theirs is held, the operator API bounds by itself.
 */
export class SlowBodies {
  readonly #bodyMs: number
  readonly #isGreedy: (request: IncomingMessage) => boolean
  /** For how long each request has been arriving, for how long nothing has come of it, and what its connection had sent before. */
  readonly #first = new WeakMap<IncomingMessage, { ageMs: number; silentMs: number; bytesBefore: number }>()
  /** What each connection had sent at the last look. */
  readonly #sent = new WeakMap<Connection, number>()

  /** `isGreedy`: the request's network has more than its share of places that are rare now. */
  constructor(bodyMs = BODY_MS, isGreedy: (request: IncomingMessage) => boolean = () => false) {
    this.#bodyMs = bodyMs
    this.#isGreedy = isGreedy
  }

  /** Looks at the connections, so many ms after the last look. Returns those to cut. */
  look(connections: Iterable<Connection>, elapsedMs: number): Connection[] {
    const arriving = [...connections].flatMap((connection) => this.#arriving(connection, elapsedMs))
    const slow = arriving.filter((each) => this.#isSlow(each))
    const left = arriving.filter((each) => !each.ofOffice && !slow.includes(each))
    return [...new Set([...slow, ...tooMuch(left)].map(({ connection }) => connection))]
  }

  #isSlow({ request, ofOffice, ageMs, silentMs }: Arriving): boolean {
    if (ofOffice) return silentMs >= this.#bodyMs || ageMs >= OFFICE_BODY_MS
    return ageMs >= this.#mostMs(request)
  }

  #mostMs(request: IncomingMessage): number {
    return this.#isGreedy(request) ? Math.min(GREEDY_BODY_MS, this.#bodyMs) : this.#bodyMs
  }

  #arriving(connection: Connection, elapsedMs: number): Arriving[] {
    const { answers, socket } = connection
    const sent = socket.bytesRead
    const sentBefore = this.#sent.get(connection) ?? 0
    this.#sent.set(connection, sent)
    const requests = [...answers.keys()].map(({ req }) => req).filter(({ complete }) => !complete)
    return requests.map((request) => {
      const first = this.#first.get(request)
      const ageMs = first ? first.ageMs + elapsedMs : 0
      const bytesBefore = first?.bytesBefore ?? sentBefore
      const silentMs = first && sent === sentBefore ? first.silentMs + elapsedMs : 0
      this.#first.set(request, { ageMs, silentMs, bytesBefore })
      return {
        connection,
        request,
        ofOffice: isOfficeRequest(request),
        ageMs,
        silentMs,
        bytes: sent - bytesBefore,
      }
    })
  }
}

/** The bodies to cut so that the others stay within the limit. */
function tooMuch(bodies: Arriving[]): Arriving[] {
  let all = bodies.reduce((sum, { bytes }) => sum + bytes, 0)
  const gone: Arriving[] = []
  for (const body of bodies.toSorted((a, b) => b.ageMs - a.ageMs || b.bytes - a.bytes)) {
    if (all <= MOST_OF_ALL) break
    gone.push(body)
    all -= body.bytes
  }
  return gone
}
