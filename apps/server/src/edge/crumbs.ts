import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** A piece of a body that is shorter, in bytes, is a crumb: networks carry more in each packet. */
const CRUMB_BYTES = 500
/**
 * So many crumbs may come in one body, and so many of one connection within a second. They cost several times what a request does. Browsers,
 * curl and proxies send pieces of a kilobyte and more.
 */
const MOST_CRUMBS = 200
/** And one more for every so many bytes. Chunks do not end where packets do, so long imports have crumbs that nobody made. */
const BYTES_PER_CRUMB = 1_000
const SECOND_MS = 1_000

/** Pieces, of a body or of a connection. */
class Pieces {
  readonly #since = performance.now()
  #crumbs = 0
  #bytes = 0

  get ageMs(): number {
    return performance.now() - this.#since
  }

  /** Counts a piece of so many bytes. Returns whether there are too many crumbs among them. */
  add(bytes: number): boolean {
    this.#bytes += bytes
    if (bytes < CRUMB_BYTES) this.#crumbs += 1
    return this.#crumbs > MOST_CRUMBS + this.#bytes / BYTES_PER_CRUMB
  }
}

/**
 * Bodies that come in too many crumbs, such as chunks of one byte. Each piece costs time and some 250 bytes of memory, however short it is:
 * six megabytes on the wire would hold 230.
 */
export class Crumbs {
  /** What each connection sent in this second. A body's first piece is left out: it is part of what a request costs. */
  readonly #sent = new WeakMap<Socket, Pieces>()
  readonly #onTooMany: (socket: Socket) => void

  constructor(onTooMany: (socket: Socket) => void) {
    this.#onTooMany = onTooMany
  }

  /** Calls back once where the body of a request, or all that its connection sends in a second, has too many crumbs, and takes no more of it. */
  count(request: IncomingMessage): void {
    const { headers, socket } = request
    if (!('transfer-encoding' in headers || 'content-length' in headers)) return
    // Counted where Node hands them over: whoever listened for them would begin to read.
    const push = request.push.bind(request)
    const body = new Pieces()
    let [begun, cut] = [false, false]
    request.push = (piece, encoding) => {
      if (cut) return false
      if (Buffer.isBuffer(piece)) {
        cut = body.add(piece.length) || (begun && this.#sentBy(socket).add(piece.length))
        begun = true
      }
      if (!cut) return push(piece, encoding)
      this.#onTooMany(socket)
      return false
    }
  }

  #sentBy(socket: Socket): Pieces {
    const before = this.#sent.get(socket)
    if (before && before.ageMs < SECOND_MS) return before
    const pieces = new Pieces()
    this.#sent.set(socket, pieces)
    return pieces
  }
}
