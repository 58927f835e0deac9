import { openPage } from '../browser/bench-page.js'
import type { Site, Sites } from './site.js'

export interface Transfer {
  path: string
  /** Chromium's name for what was asked for: Document, Script, Stylesheet, Fetch, … */
  type: string
  /** Bytes of the body as it came over the wire. */
  bytes: number
}

/** What a load fetches: before the page is idle, and what it then fetches ahead. */
export interface Transfers {
  needed: Transfer[]
  warmed: Transfer[]
}

const QUIET_MS = 1_000

/** Loads a site in a fresh context and counts bodies on the wire as Chromium does. Idle work is held back, then let go. */
export async function transfersOf({ browser }: Sites, { url }: Site): Promise<Transfers> {
  const { page, close } = await openPage(browser)
  try {
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const seen = new Map<string, { path: string; type: string; headerBytes: number }>()
    const transfers: Transfer[] = []
    session.on('Network.responseReceived', ({ requestId, response, type }) => {
      const { pathname } = new URL(response.url)
      seen.set(requestId, { path: pathname, type, headerBytes: response.encodedDataLength })
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const known = seen.get(requestId)
      if (known) transfers.push({ ...known, bytes: encodedDataLength - known.headerBytes })
    })
    await page.addInitScript(() => {
      const idle: IdleRequestCallback[] = []
      window.requestIdleCallback = (callback) => idle.push(callback)
      Object.assign(window, {
        goIdle: () => idle.splice(0).map((run) => run({ didTimeout: false, timeRemaining: () => 50 })),
      })
    })
    await page.goto(url)
    await page.waitForLoadState('networkidle')
    const needed = transfers.splice(0)
    await page.evaluate(() => (window as Window & { goIdle?: () => void }).goIdle?.())
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(QUIET_MS)
    return { needed, warmed: transfers.splice(0) }
  } finally {
    await close()
  }
}
