import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

export interface HttpServer {
  url: string
  close(): Promise<void>
}

/** Serves it over HTTP on a free port of this machine, any path; what cannot be made a `Request` is answered with 400. */
export async function serveHttp(serve: (request: Request) => Promise<Response>): Promise<HttpServer> {
  const server = createServer((incoming, outgoing) => {
    answer(serve, incoming, outgoing).catch((error: unknown) => outgoing.destroy(Error(String(error))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  serve: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = webRequest(incoming)
  const response = request ? await serve(request) : new Response(null, { status: 400 })
  // What was not read cannot be skipped for the next request.
  if (!incoming.complete) outgoing.setHeader('connection', 'close')
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

function webRequest(incoming: IncomingMessage): Request | undefined {
  const { method = 'GET', url: path = '/', headers } = incoming
  const bodiless = method === 'GET' || method === 'HEAD'
  try {
    return new Request(`http://${headers.host}${path}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      ...(!bodiless && { body: Readable.toWeb(incoming), duplex: 'half' }),
    } as RequestInit)
  } catch {
    return undefined
  }
}
