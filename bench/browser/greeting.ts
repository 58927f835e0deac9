import type { Browser } from '@playwright/test'
import type { RunningHeyline } from '../../e2e/running-heyline.js'
import { AUDIBLE, tapSpeaker } from '../../e2e/speaker.js'
import { type Figure, median, ms } from '../report/table.js'
import { openPage } from './bench-page.js'

const ROUNDS = 7

/**
 * From the click on Test in Browser to the first block of sound at the speaker (1,024 samples, 21 ms at 48 kHz):
 * first on a server that has just started, then again and again.
 */
export async function measureGreeting(browser: Browser, heyline: RunningHeyline): Promise<Figure[]> {
  const first = await greetingMs(browser, heyline)
  const warm: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) warm.push(await greetingMs(browser, heyline))
  return [
    {
      what: 'click → first audible greeting, first call after the start',
      value: ms(first),
      beside: 'aim: ≤ 400 ms',
    },
    {
      what: `click → first audible greeting, warm (median of ${ROUNDS})`,
      value: ms(median(warm)),
      beside: `aim: ≤ 150 ms; slowest ${ms(Math.max(...warm))}`,
    },
  ]
}

/** Opens the page of the default visitor, clicks, and stops the call again. */
export async function greetingMs(browser: Browser, heyline: RunningHeyline): Promise<number> {
  const { page, close } = await openPage(browser, { permissions: ['microphone'], reducedMotion: 'reduce' })
  try {
    await tapSpeaker(page)
    await page.goto(`${heyline.url}/default`)
    // The call's code and the visitor's texts are fetched at idle, as they are while a visitor reads.
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(500)
    await page.evaluate(() => {
      document.addEventListener('click', () => performance.mark('click'), { capture: true, once: true })
    })
    await page.getByRole('button', { name: 'Test in Browser' }).click()
    const heard = await page.waitForFunction(
      (audible) => window.speakerLevels.find(({ level }) => level > audible)?.at,
      AUDIBLE,
      { polling: 20, timeout: 15_000 },
    )
    const clicked = await page.evaluate(
      () => performance.getEntriesByName('click')[0]?.startTime ?? Number.NaN,
    )
    const at = Number(await heard.jsonValue())
    await page.getByRole('button', { name: 'Stop Call' }).click()
    return at - clicked
  } finally {
    await close()
  }
}
