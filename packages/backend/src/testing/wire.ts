import { type Agent, request as httpRequest } from 'node:http'

/** A request as it goes over the wire: the target and the headers as they are, a header any number of times. */
export interface WireRequest {
  method: string
  /** What follows the wire's base URL, percent-encoded or not; at most U+00FF, no spaces or control characters. */
  path: string
  headers: [name: string, value: string][]
  body?: string | Uint8Array
}

export interface WireAnswer {
  status: number
  /** As lines, without those that differ from answer to answer. */
  headers: string
  text: string
}

const OWN_OF_EACH_ANSWER = new Set(['date', 'connection', 'keep-alive', 'x-request-id'])

/**
 * Sends it to the wire at `base` (`http://host:port/path`). Rejects where no answer comes, or the request can't be written. `isEnough` is
 * asked with what has come so far of an event stream, and may end it.
 */
export async function sendOver(
  base: string,
  asked: WireRequest,
  agent?: Agent,
  isEnough: (text: string) => boolean = () => false,
): Promise<WireAnswer> {
  const { hostname, port, pathname } = new URL(base)
  return await new Promise((resolve, reject) => {
    const request = httpRequest({
      hostname,
      port,
      agent,
      method: asked.method,
      path: pathname.replace(/\/$/, '') + asked.path,
      setHost: true,
    })
    for (const [name, value] of asked.headers) request.appendHeader(name, value)
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      const text = () => Buffer.concat(chunks).toString()
      const isStream = response.headers['content-type']?.startsWith('text/event-stream')
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.entries(response.headers)
            .filter(([name]) => !OWN_OF_EACH_ANSWER.has(name))
            .map(([name, value]) => `${name}: ${value}`)
            .sort()
            .join('\n'),
          text: text(),
        })
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (!isStream || !isEnough(text())) return
        done()
        request.destroy()
      })
      response.on('error', reject)
      response.on('end', done)
    })
    request.end(asked.body)
  })
}
