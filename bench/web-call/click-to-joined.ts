import type { Browser } from '@playwright/test'
import { openPage } from '../browser/bench-page.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'
import { type CallPage, serveCallPage } from './call-page.js'
import { standInForHosted } from './hosted-stand-ins.js'
import { ROOM_CODE_MS } from './timings.js'
import './caller.js'

const ROUNDS = 9
/** The visitor reads first: long enough for whatever is loaded ahead. */
const READ_MS = ROOM_CODE_MS + 300

/** From the click to the room joined, by turns: ours cold, ours preloaded, the peer, which loads nothing ahead. */
export async function measureClickToJoined(browser: Browser): Promise<Figure[]> {
  const pages = await Promise.all([serveCallPage('ours'), serveCallPage('peer')])
  try {
    const [ours, peer] = pages
    const cold: number[] = []
    const preloaded: number[] = []
    const beside: number[] = []
    // The first of each warms browser and file server, and is not counted.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const times = [
        await joinedMs(browser, ours, false),
        await joinedMs(browser, peer, false),
        await joinedMs(browser, ours, true),
      ] as const
      if (round === 0) continue
      cold.push(times[0])
      beside.push(times[1])
      preloaded.push(times[2])
    }
    return [against('cold', cold, 0.8, beside), against('preloaded', preloaded, 0.6, beside)]
  } finally {
    for (const page of pages) page.close()
  }
}

const against = (how: string, ours: number[], limit: number, peer: number[]): Figure =>
  limited({
    what: `click → joined, ${how} (medians of ${ROUNDS})`,
    value: median(ours) / median(peer),
    limit,
    show: (ratio) => `${ratio.toFixed(2)} ×`,
    beside: `${ms(median(ours))}, @vapi-ai/web ${ms(median(peer))}; slowest ${ms(Math.max(...ours))} and ${ms(Math.max(...peer))}`,
  })

async function joinedMs(browser: Browser, { url }: CallPage, preload: boolean): Promise<number> {
  const { page, close } = await openPage(browser, { permissions: ['microphone'] })
  try {
    const broken = new Promise<never>((_, reject) => page.once('pageerror', reject))
    broken.catch(() => {})
    await standInForHosted(page)
    await page.goto(url)
    if (preload) await page.evaluate(() => window.caller.preload())
    await page.waitForTimeout(READ_MS)
    await page.getByRole('button', { name: 'Call' }).click()
    return Number(await Promise.race([page.evaluate(() => window.joinedMs), broken]))
  } finally {
    await close()
  }
}
