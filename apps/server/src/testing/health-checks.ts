import { Loop } from '@heyline/kit/loop'
import type { Balancer } from './balancer.js'

/** Between two questions to each server, in milliseconds. */
const ASKS_MS = 500

/** Asks each server `/-/health`, as docs/instances.md wants it. The balancer has those that are ready. */
export class HealthChecks {
  readonly #balancer: Balancer
  /** Whether each server is ready, by its address. */
  readonly #servers = new Map<string, boolean>()
  readonly #loop = new Loop({ everyMs: ASKS_MS, run: () => this.#askAll(), onError: () => {} })

  constructor(balancer: Balancer) {
    this.#balancer = balancer
    this.#loop.start()
  }

  /** Adds a server; resolves once it is ready. */
  async add(url: string): Promise<void> {
    this.#servers.set(url, false)
    while (!this.#servers.get(url)) {
      await this.#askAll()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  remove(url: string): void {
    this.#servers.delete(url)
    this.#tell()
  }

  async stop(): Promise<void> {
    await this.#loop.close()
  }

  async #askAll(): Promise<void> {
    await Promise.all([...this.#servers.keys()].map((url) => this.#ask(url)))
  }

  async #ask(url: string): Promise<void> {
    const isReady = await fetch(`${url}/-/health`).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.ok
      },
      () => false,
    )
    if (!this.#servers.has(url)) return
    this.#servers.set(url, isReady)
    this.#tell()
  }

  #tell(): void {
    this.#balancer.servers = [...this.#servers].flatMap(([url, isReady]) => (isReady ? url : []))
  }
}
