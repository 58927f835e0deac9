import type { RunningHeyline } from './running-heyline.js'
import { StaticPage } from './static-page.js'

/**
 * The servers of one Playwright worker: one for each set of settings, started when the first test asks for it, and kept for the
 * others. The tests on it are kept apart by their visitors. What restarts its server or breaks it starts its own.
 */
export class Servers {
  readonly #pages = new Map<string, Promise<StaticPage>>()

  async server(settings: Record<string, string> = {}): Promise<RunningHeyline> {
    return (await this.#page(settings)).heyline
  }

  /** The static page of that server, built when it is first asked for. */
  async staticPage(settings: Record<string, string> = {}): Promise<StaticPage> {
    const page = await this.#page(settings)
    await page.build()
    return page
  }

  async stop(): Promise<void> {
    const pages = await Promise.allSettled(this.#pages.values())
    await Promise.all(pages.map((page) => page.status === 'fulfilled' && page.value.stop()))
  }

  #page(settings: Record<string, string>): Promise<StaticPage> {
    const key = JSON.stringify(Object.entries(settings).sort())
    const known = this.#pages.get(key)
    if (known) return known
    const page = StaticPage.start(settings)
    this.#pages.set(key, page)
    return page
  }
}
