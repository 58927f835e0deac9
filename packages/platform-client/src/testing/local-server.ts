import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came over the wire. */
export interface SeenRequest {
  method: string
  /** Path and query, as sent. */
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** A real HTTP server on a free port that records what it is sent. Dispose it to close it with its connections. */
export interface LocalServer extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly SeenRequest[]
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Starts a server that answers each request, its body read, with `answer`. `count` is 1 for the first. */
export async function startLocalServer(
  answer: (request: SeenRequest, response: ServerResponse, count: number) => void,
): Promise<LocalServer> {
  const requests: SeenRequest[] = []
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk
    const request = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body,
    }
    answer(request, response, requests.push(request))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
