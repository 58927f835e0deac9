import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.js'
import type { StaticPage } from './static-page.js'

const VISITORS = '**/rest/v1/visitors*'
/** How long the page waits for a read of the visitors. */
const TIMEOUT_MS = 10_000

/** A static page looks its visitor up by itself; the page of the server behind it reads only what the greeting did not need. */
let site: StaticPage
test.beforeAll(async ({ servers }) => {
  site = await servers.staticPage()
})

/** From here on the page's reads are never answered, and its clock stands still. */
async function leaveUnanswered(page: Page) {
  await page.route(VISITORS, () => {})
  await page.clock.install()
}

/** Opens a page; returns once its read of the visitor has begun. */
async function openReading(page: Page, url: string) {
  const read = page.waitForRequest((request) => request.url().includes('slug=eq.'))
  await page.goto(url)
  await read
}

test('a lookup that is never answered ends in the not-found screen', async ({ page }) => {
  await leaveUnanswered(page)
  await openReading(page, `${site.url}/riverside-dental`)
  await expect(page.getByText('Loading...')).toBeVisible()
  await page.clock.fastForward(TIMEOUT_MS)
  await expect(page.getByRole('heading')).toHaveText('Page Not Found')
  await expect(page).toHaveTitle('Page Not Found')
})

test('a call that waits for such a read returns to idle, and the next press tries again', async ({
  page,
}) => {
  await leaveUnanswered(page)
  // A server that is busy sends the page before it knows the visitor: then there is no button to press.
  await expect(async () => {
    await openReading(page, `${site.heyline.url}/riverside-dental`)
    await expect(page.getByRole('heading')).toContainText('Hey', { timeout: 1000 })
  }).toPass()
  const start = page.getByRole('button', { name: 'Test in Browser' })
  const connecting = page.getByRole('button', { name: 'Connecting...' })
  await start.click()
  await expect(connecting).toBeVisible()
  await page.clock.fastForward(TIMEOUT_MS)
  await expect(start).toBeVisible()
  await page.unroute(VISITORS)
  await start.click()
  await page.getByRole('button', { name: 'Stop Call' }).click()
  await expect(start).toBeVisible()
})
