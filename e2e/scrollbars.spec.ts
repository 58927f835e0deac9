import { expect, type Page } from '@playwright/test'
import { CHROMIUM_FLAGS } from './chromium-flags.js'
import { test } from './fixtures.js'
import { onServer } from './page-hosts.js'
import { EMPTY, openForm, submit } from './phone-form.js'

// Scrollbars that take space, as on Windows and Linux: these are options of the launch.
test.use({
  viewport: { width: 1366, height: 650 },
  ownBrowser: { args: CHROMIUM_FLAGS, ignoreDefaultArgs: ['--hide-scrollbars'] },
})

/** Where the two ways stand in the document, and what the page's scrollbar is about. */
const layout = (page: Page) =>
  page.evaluate(() => {
    const { scrollHeight, clientHeight, clientWidth } = document.documentElement
    const ways = [...document.querySelectorAll('.ways button')].map((button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return { x, y: y + scrollY, width, height }
    })
    return { ways, scrolls: scrollHeight > clientHeight, reserved: innerWidth - clientWidth }
  })

onServer('a scrollbar that takes space', (host) => {
  test('moves nothing when the form and the strip of a call make the page scroll', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${host.url}/default`)
    await expect(page.getByRole('button', { name: 'Call Me' })).toBeVisible()
    const before = await layout(page)
    expect(before.scrolls).toBe(false)
    expect(before.ways).toHaveLength(2)
    await openForm(page, host)
    await submit(page)
    await expect(page.getByText(EMPTY)).toBeVisible()
    await page.getByRole('button', { name: 'Test in Browser' }).click()
    await expect(page.getByRole('region', { name: 'Call in progress' })).toBeVisible()
    const after = await layout(page)
    expect(after.scrolls).toBe(true)
    expect(after.reserved).toBeGreaterThan(0)
    expect(after.ways).toEqual(before.ways)
    await page.getByRole('button', { name: 'Stop Call' }).click()
    await expect(page.getByRole('button', { name: 'Test in Browser' })).toBeVisible()
  })
})
