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

/** What the measurements share, each of it from the first ask on: a browser, a server, and the page's two builds. */
export class Stage {
  #browser: Promise<Browser> | undefined
  #heyline: Promise<RunningHeyline> | undefined
  #clientRendered: Promise<ClientRendered> | undefined
  #withoutOpens: Promise<RunningHeyline> | undefined

  browser(): Promise<Browser> {
    this.#browser ??= launch()
    return this.#browser
  }

  heyline(): Promise<RunningHeyline> {
    this.#heyline ??= RunningHeyline.start()
    return this.#heyline
  }

  /** The page's two builds. */
  async sites(): Promise<Sites> {
    const { url } = await this.heyline()
    this.#clientRendered ??= startClientRendered(url)
    return {
      browser: await this.browser(),
      ours: { name: 'ours', url: `${url}/${VISITOR}` },
      peer: { name: 'client-rendered', url: `${(await this.#clientRendered).url}/${VISITOR}` },
    }
  }

  /** The page, and as `peer` the same of a server that counts no opens. */
  async withoutOpens(): Promise<Sites> {
    this.#withoutOpens ??= RunningHeyline.start({ OPENS: 'off' })
    return {
      browser: await this.browser(),
      ours: { name: 'ours', url: `${(await this.heyline()).url}/${VISITOR}` },
      peer: { name: 'without opens', url: `${(await this.#withoutOpens).url}/${VISITOR}` },
    }
  }

  /** Whoever asked for a part that could not be opened knows of it. */
  async close() {
    const ended = [
      this.#clientRendered?.then((site) => site.close()),
      this.#withoutOpens?.then((heyline) => heyline.stop()),
      this.#heyline?.then((heyline) => heyline.stop()),
      this.#browser?.then((browser) => browser.close()),
    ]
    await Promise.allSettled(ended)
  }
}

async function launch(): Promise<Browser> {
  writeWav(SILENCE, new Int16Array(16_000 * 60), 16_000)
  const browser = await browserType.launch({ executablePath: chromium(), args: FLAGS })
  console.log(`Chromium ${browser.version()}\n`)
  return browser
}
