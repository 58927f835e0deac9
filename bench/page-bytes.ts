import type { Browser } from '@playwright/test'
import type { RunningHeyline } from '../e2e/running-heyline.js'
import { openPage } from './bench-page.js'
import { type Figure, kB } from './table.js'

interface Transfer {
  path: string
  type: string
  /** Bytes of the answer's headers. */
  headers: number
  bytes: number
}

/** Bytes of bodies on the wire as Chromium counts them, per part of the page. */
export async function measurePageBytes(browser: Browser, heyline: RunningHeyline): Promise<Figure[]> {
  const { page, close } = await openPage(browser)
  try {
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const seen = new Map<string, Omit<Transfer, 'bytes'>>()
    const transfers: Transfer[] = []
    session.on('Network.responseReceived', ({ requestId, response, type }) => {
      seen.set(requestId, { path: new URL(response.url).pathname, type, headers: response.encodedDataLength })
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const known = seen.get(requestId)
      if (known) transfers.push({ ...known, bytes: encodedDataLength - known.headers })
    })
    await page.addInitScript(() => {
      // Held back, so that what the page needs and what it warms when idle can be told apart.
      const idle: IdleRequestCallback[] = []
      window.requestIdleCallback = (callback) => idle.push(callback)
      Object.assign(window, {
        goIdle: () => idle.splice(0).map((run) => run({ didTimeout: false, timeRemaining: () => 50 })),
      })
    })
    await page.goto(`${heyline.url}/default`)
    await page.waitForLoadState('networkidle')
    const needed = transfers.splice(0)
    await page.evaluate(() => (window as Window & { goIdle?: () => void }).goIdle?.())
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(1_000)
    const warmed = transfers.splice(0)
    return [
      figure(
        'HTML with its CSS',
        needed.filter(({ type }) => type === 'Document'),
        'aim: ≤ 4 kB',
      ),
      figure(
        'JavaScript needed to hydrate',
        needed.filter(({ type }) => type === 'Script'),
        'aim: ≤ 62 kB',
      ),
      figure('all requests of the first load', needed, `${needed.length} requests`),
      figure(
        'fetched when idle: form, call and lookup code',
        warmed.filter(({ type }) => type === 'Script'),
        'never on the critical path',
      ),
    ]
  } finally {
    await close()
  }
}

const figure = (what: string, transfers: readonly Transfer[], beside: string): Figure => ({
  what,
  value: kB(transfers.reduce((sum, { bytes }) => sum + bytes, 0)),
  beside,
})
