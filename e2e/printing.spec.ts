import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.js'
import { onServer } from './page-hosts.js'

/** The fades' filters as they are at this moment; their clock stands still. */
const filters = (page: Page) =>
  page.evaluate(() => [
    ...new Set(
      [...document.querySelectorAll('.fade-first, .fade-then')].map((element) => {
        for (const animation of element.getAnimations()) animation.pause()
        return getComputedStyle(element).filter
      }),
    ),
  ])

onServer('the page on paper', (host) => {
  test('shows all of it at once, in the middle of the fades too', async ({ page }) => {
    await page.goto(`${host.url}/riverside-dental`)
    expect(await filters(page)).toEqual(['opacity(0)'])
    const heading = page.getByRole('heading', { level: 1 })
    const unseen = await heading.screenshot()
    await page.emulateMedia({ media: 'print' })
    expect(await filters(page)).toEqual(['none'])
    // A picture of a plain ground is small.
    expect((await heading.screenshot()).length).toBeGreaterThan(3 * unseen.length)
  })

  test('goes on fading in on the screen afterwards', async ({ page }) => {
    await page.goto(`${host.url}/riverside-dental`)
    await page.emulateMedia({ media: 'print' })
    await page.emulateMedia({ media: 'screen' })
    expect(await filters(page)).toEqual(['opacity(0)'])
  })
})
