import { expect, type Page } from '@playwright/test'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { hum, listenAtWire, unplug } from './humming-microphone.js'
import { onServer } from './page-hosts.js'

const mute = (page: Page) => page.getByRole('button', { name: 'Mute microphone', exact: true })
const opened = (page: Page) => page.evaluate(() => window.microphones.length)

onServer('a microphone that is lost in a call', (host) => {
  /** A call whose microphone is heard. */
  async function call(page: Page) {
    await hum(page)
    const atWire = listenAtWire(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${host.url}/default`)
    await start(page).click()
    await expect(stop(page)).toBeVisible()
    await expect.poll(atWire).toBe('sound')
    return atWire
  }

  for (const event of ['ended', 'devicechange'] as const)
    test(`is replaced by the default one, and the call goes on: ${event}`, async ({ page }) => {
      const atWire = await call(page)
      await unplug(page, event)
      await expect.poll(() => opened(page)).toBe(2)
      atWire.forget()
      await expect.poll(atWire).toBe('sound')
      await expect(stop(page)).toBeVisible()
      await stop(page).click()
      await expect(start(page)).toBeVisible()
      const states = await page.evaluate(() => window.microphones.map(({ readyState }) => readyState))
      expect(states).toEqual(['ended', 'ended'])
    })

  test('is replaced by one that is as muted', async ({ page }) => {
    const atWire = await call(page)
    await mute(page).click()
    await unplug(page, 'ended')
    await expect.poll(() => opened(page)).toBe(2)
    atWire.forget()
    await expect.poll(atWire).toBe('silence')
    await mute(page).click()
    await expect.poll(atWire).toBe('sound')
    await stop(page).click()
  })

  test('ends the call where there is no other', async ({ page }) => {
    await call(page)
    await page.evaluate(() => {
      window.isMicrophoneThere = false
    })
    await unplug(page, 'devicechange')
    await expect(start(page)).toBeVisible()
    await expect(page.getByText('Call ended')).toBeAttached()
    await page.evaluate(() => {
      window.isMicrophoneThere = true
    })
    await start(page).click()
    await expect(stop(page)).toBeVisible()
    await stop(page).click()
  })
})
