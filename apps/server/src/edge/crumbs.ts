import type { IncomingMessage } from 'node:http'

/** A piece of a body that is shorter, in bytes, is a crumb: networks carry more in each packet. */
const CRUMB_BYTES = 500
/** So many crumbs may come in one body: they cost no more than a request does. Browsers, curl and proxies send pieces of a kilobyte and more. */
const MOST_CRUMBS = 200
/** And one more for every so many bytes. Chunks do not end where packets do, so long imports have crumbs that nobody made. */
const BYTES_PER_CRUMB = 1_000

/**
 * Calls back once where the body of a request comes in too many crumbs, such as chunks of one byte, and takes no more of it. Each piece
 * costs time and some 250 bytes of memory, however short it is: six megabytes on the wire would hold 230.
 */
export function countCrumbs(request: IncomingMessage, onTooMany: () => void): void {
  const { headers } = request
  if (!('transfer-encoding' in headers || 'content-length' in headers)) return
  // Counted where Node hands them over: whoever listened for them would begin to read.
  const push = request.push.bind(request)
  let [crumbs, bytes, cut] = [0, 0, false]
  request.push = (piece, encoding) => {
    if (cut) return false
    if (Buffer.isBuffer(piece)) {
      bytes += piece.length
      if (piece.length < CRUMB_BYTES) crumbs += 1
    }
    cut = crumbs > MOST_CRUMBS + bytes / BYTES_PER_CRUMB
    if (!cut) return push(piece, encoding)
    onTooMany()
    return false
  }
}
