import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A hosted platform on a free port, which answers every call with the same Daily room. */
export class DailyPlatform {
  readonly url: string
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(): Promise<DailyPlatform> {
    const body = JSON.stringify({ id: 'call-1', webCallUrl: 'https://example.daily.co/room' })
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'content-type': 'application/json',
    }
    const server = createServer((_, response) => response.writeHead(200, headers).end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new DailyPlatform(server)
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
