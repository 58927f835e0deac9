import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RunningHeyline } from './running-heyline.js'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Sends rows of the visitors' table. */
export const rows = (response: ServerResponse, visitors: readonly object[]) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(visitors))

/** Leaves a request waiting, so that the page stays in its loading state. */
export const hang: Answer = () => {}

/** A server whose hosted backend answers as a test tells it to; until then it has no visitors. */
export class HostedBackend {
  readonly heyline: RunningHeyline
  readonly #backend: Backend

  private constructor(heyline: RunningHeyline, backend: Backend) {
    this.heyline = heyline
    this.#backend = backend
  }

  static async start(settings: Record<string, string> = {}): Promise<HostedBackend> {
    const backend = new Backend()
    const heyline = await RunningHeyline.start({
      SUPABASE_URL: await backend.listen(),
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_the_project',
      ...settings,
    })
    return new HostedBackend(heyline, backend)
  }

  /** Answers from here on so. */
  answer(answer: Answer): void {
    this.#backend.answer = answer
  }

  /** Its waiting requests first, for which the server would wait too. */
  async stop() {
    this.#backend.close()
    await this.heyline.stop()
  }
}

/** What a Supabase project is to a server and a page: it allows every origin. */
class Backend {
  answer: Answer = (_, response) => rows(response, [])
  readonly #server: Server = createServer((request, response) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (request.method === 'OPTIONS') return response.writeHead(204, headers).end()
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    return this.answer(request, response)
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
