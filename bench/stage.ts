import { type Browser, chromium as browserType } from '@playwright/test'
import { CHROMIUM_FLAGS, SILENCE } from '../e2e/chromium-flags.js'
import { RunningHeyline } from '../e2e/running-heyline.js'
import { writeWav } from '../e2e/wav.js'
import { chromium } from '../scripts/chromium.mjs'
import { type ClientRendered, startClientRendered } from './client-rendered/client-rendered.js'
import type { Sites } from './page/site.js'

/**
 * With a DevTools session attached, as Playwright's is, V8 needs the source positions of running scripts, and gets them
 * by parsing those scripts once more: blocking time that no visitor has. So it keeps them from the
 * first parse.
 */
const FLAGS = [...CHROMIUM_FLAGS, '--js-flags=--no-enable-lazy-source-positions']

const VISITOR = 'riverside-dental'

/** What the measurements share: one browser, one server, and the client-rendered page once somebody asks for it. */
export class Stage {
  readonly browser: Browser
  readonly heyline: RunningHeyline
  #clientRendered: ClientRendered | undefined

  private constructor(browser: Browser, heyline: RunningHeyline) {
    this.browser = browser
    this.heyline = heyline
  }

  static async open(): Promise<Stage> {
    writeWav(SILENCE, new Int16Array(16_000 * 60), 16_000)
    const browser = await browserType.launch({ executablePath: chromium(), args: FLAGS })
    try {
      return new Stage(browser, await RunningHeyline.start())
    } catch (error) {
      await browser.close()
      throw error
    }
  }

  /** The page's two builds; the client-rendered one is built at the first ask. */
  async sites(): Promise<Sites> {
    this.#clientRendered ??= await startClientRendered(this.heyline.url)
    return {
      browser: this.browser,
      ours: { name: 'ours', url: `${this.heyline.url}/${VISITOR}` },
      peer: { name: 'client-rendered', url: `${this.#clientRendered.url}/${VISITOR}` },
    }
  }

  async close() {
    await this.#clientRendered?.close()
    await this.heyline.stop()
    await this.browser.close()
  }
}
