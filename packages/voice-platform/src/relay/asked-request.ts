import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

/** How long another process may take nothing of an answer, in milliseconds: its own client may be slow. */
const IDLE_MS = 120_000

/** What another process gets, as a request to this one. */
export function requestOf({ method, url, headers }: IncomingMessage): Request {
  const { range } = headers
  return new Request(new URL(url ?? '/', 'http://relay'), { method, headers: range ? { range } : {} })
}

/** Sends this answer to another process. The connection is over with it. Rejects where the other side is gone. */
export async function sendResponse(response: Response, answer: ServerResponse): Promise<void> {
  answer.socket?.setTimeout(IDLE_MS)
  answer.writeHead(response.status, { ...Object.fromEntries(response.headers), connection: 'close' })
  if (response.body) await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), answer)
  else answer.end()
}
