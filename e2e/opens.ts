import { type Browser, chromium as browserType, type Page } from '@playwright/test'
import { chromium } from '../scripts/chromium.mjs'
import { CHROMIUM_FLAGS } from './chromium-flags.js'
import type { RunningHeyline } from './running-heyline.js'

/** What a person's Chromium calls itself. */
export const PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/** A Chromium that says of itself that a person uses it. Its contexts need `PERSON` as `userAgent`. */
export const personsBrowser = (): Promise<Browser> =>
  browserType.launch({
    executablePath: chromium(),
    args: [...CHROMIUM_FLAGS, '--disable-blink-features=AutomationControlled'],
    ignoreDefaultArgs: ['--enable-automation'],
  })

/** An open, as it was stored. */
export interface StoredOpen {
  slug: string
  /** In ms since the epoch. */
  at: number
}

/** The newest thousand opens that are stored. */
export async function storedOpens(heyline: RunningHeyline): Promise<StoredOpen[]> {
  const { secret } = await heyline.keys()
  const answer = await fetch(`${heyline.url}/-/office/timeline/events?types=page.opened&limit=1000`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  if (!answer.ok) throw new Error(`The events could not be read: ${answer.status}`)
  const { events }: { events: { slug: string; at: string }[] } = await answer.json()
  return events.map(({ slug, at }) => ({ slug, at: Date.parse(at) }))
}

/** How many opens of a visitor are stored. */
export const opensOf = async (heyline: RunningHeyline, slug: string): Promise<number> =>
  (await storedOpens(heyline)).filter((open) => open.slug === slug).length

/** So often does a person's pointer move. */
const MOVES_EVERY_MS = 500

/** Looks at a page as a person does, until it has told. Resolves with when it was to tell, in ms since the epoch. */
export async function visitAsPerson(page: Page, url: string): Promise<number> {
  await page.addInitScript(() => {
    addEventListener('pointermove', () => Object.assign(window, { inputAt: Date.now() }), { once: true })
  })
  const told = page.waitForResponse((answer) => answer.url().endsWith('/-/opens'), { timeout: 60_000 })
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).hover()
  // A pointer that moves goes on moving: what watches for it is loaded when the page is idle.
  let isTold = false
  const over = told.finally(() => {
    isTold = true
  })
  for (let step = 1; !isTold; step += 1) {
    await page.mouse.move(100 + (step % 2) * 20, 100)
    await Promise.race([over, page.waitForTimeout(MOVES_EVERY_MS)])
  }
  await over
  return await page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const seenAt = performance.timeOrigin + (paint?.startTime ?? 0)
    return Math.max(seenAt + 3_000, (window as Window & { inputAt?: number }).inputAt ?? 0)
  })
}
