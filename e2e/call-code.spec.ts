import { assetsDirectory } from '@heyline/page/server'
import { shippedParts } from '@heyline/page/sizes'
import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.js'
import { onEveryHost, onServer } from './page-hosts.js'

/** All that a call in the built-in room needs of the page's code. */
const CODE = shippedParts(assetsDirectory).call.toSorted()

/** The files of it that the page has asked for so far. */
async function asked(page: Page): Promise<string[]> {
  const urls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  return CODE.filter((file) => urls.some((url) => url.endsWith(`/${file}`)))
}

onEveryHost('the code of a call', (host) => {
  test('is fetched at idle, all of it, and named nowhere in the page', async ({ page }) => {
    const answer = await page.goto(`${host.url}/default`)
    const html = (await answer?.text()) ?? ''
    expect(CODE.filter((file) => html.includes(file))).toEqual([])
    await expect.poll(() => asked(page)).toEqual(CODE)
  })
})

onServer('the code of a call', (host) => {
  test('is left until somebody is about to press where data is to be saved', async ({ page }) => {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    )
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${host.url}/default`)
    await page.waitForLoadState('networkidle')
    expect(await asked(page)).toEqual([])
    await page.getByRole('button', { name: 'Test in Browser' }).hover()
    await expect.poll(() => asked(page)).toEqual(CODE)
  })
})
