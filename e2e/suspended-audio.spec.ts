import { expect, type Page } from '@playwright/test'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { onServer } from './page-hosts.js'
import { tapSpeaker } from './speaker.js'

/** The states of the page's speakers that are not closed. */
const states = (page: Page) =>
  page.evaluate(() => window.speakers.map(({ state }) => state).filter((state) => state !== 'closed'))

onServer('sound that the system suspends in a call', (host) => {
  const OCCASIONS: Record<string, (page: Page) => Promise<unknown>> = {
    'at the next click anywhere': (page) => page.getByRole('heading', { level: 1 }).click(),
    'at the next key': (page) => page.keyboard.press('Shift'),
    'when the page is seen again': (page) =>
      page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))),
  }

  for (const [when, act] of Object.entries(OCCASIONS))
    test(`is resumed ${when}, and the call goes on`, async ({ page }) => {
      await tapSpeaker(page)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto(`${host.url}/default`)
      await start(page).click()
      await expect(stop(page)).toBeVisible()
      // The device is watched once it had a second to run.
      await page.waitForTimeout(1_500)
      await page.evaluate(() =>
        Promise.all(window.speakers.map((speaker) => speaker instanceof AudioContext && speaker.suspend())),
      )
      expect(await states(page)).toEqual(['suspended'])
      await page.waitForTimeout(200)
      await act(page)
      await expect.poll(() => states(page)).toEqual(['running'])
      await expect(stop(page)).toBeVisible()
      await stop(page).click()
    })
})
