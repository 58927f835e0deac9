import { request as ask, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { DownloadPace } from './download-pace.js'
import { bodyOf } from './stream-body.js'

/** What of the other server's answer is passed on. */
const PASSED_ON = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
  'cache-control',
  'x-content-type-options',
  'referrer-policy',
]

/** What another process answers to this request over a connection that speaks HTTP. The connection ends with the answer. Rejects where none comes. */
export async function relayedAnswer(
  socket: Socket,
  target: string,
  request: Request,
  pace: DownloadPace,
): Promise<Response> {
  const range = request.headers.get('range')
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asking = ask({ method: request.method, path: target, createConnection: () => socket }, resolve)
    asking.once('error', reject)
    if (range !== null) asking.setHeader('range', range)
    asking.end()
  })
  answer.once('close', () => socket.destroy())
  request.signal.addEventListener('abort', () => socket.destroy(), { once: true })
  const headers = new Headers()
  for (const name of PASSED_ON) {
    const value = answer.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Response(request.method === 'HEAD' ? null : bodyOf(answer, pace), {
    status: answer.statusCode ?? 502,
    headers,
  })
}
