import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RunningHeyline } from './running-heyline.js'

/** A server whose hosted backend, once it has started, no longer answers: its page stays in the loading state. */
export class SlowBackend {
  private readonly backend: Server
  private readonly heyline: RunningHeyline

  private constructor(backend: Server, heyline: RunningHeyline) {
    this.backend = backend
    this.heyline = heyline
  }

  static async start(): Promise<SlowBackend> {
    let answers = true
    const backend = createServer((_, response) => {
      if (answers) response.setHeader('content-type', 'application/json').end('[]')
    })
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve))
    const { port } = backend.address() as AddressInfo
    const heyline = await RunningHeyline.start({
      SUPABASE_URL: `http://127.0.0.1:${port}`,
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_the_project',
    })
    answers = false
    return new SlowBackend(backend, heyline)
  }

  get url(): string {
    return this.heyline.url
  }

  /** Its waiting requests first, for which the server would wait too. */
  async stop() {
    this.backend.close()
    this.backend.closeAllConnections()
    await this.heyline.stop()
  }
}
