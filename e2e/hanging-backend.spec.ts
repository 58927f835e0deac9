import { expect, type Page, test } from '@playwright/test'
import { StaticPage } from './static-page.js'

const VISITORS = '**/rest/v1/visitors*'
/** How long the page waits for a read of the visitors. */
const TIMEOUT_MS = 10_000

/** A static page looks its visitor up by itself; the page of the server behind it reads only what the greeting did not need. */
let site: StaticPage
test.beforeAll(async () => {
  site = await StaticPage.start()
})
test.afterAll(() => site.stop())

/** Opens a page whose reads are never answered; returns once the visitor's has begun. */
async function openUnanswered(page: Page, url: string) {
  await page.route(VISITORS, () => {})
  await page.clock.install()
  const read = page.waitForRequest((request) => request.url().includes('slug=eq.'))
  await page.goto(url)
  await read
}

test('a lookup that is never answered ends in the not-found screen', async ({ page }) => {
  await openUnanswered(page, `${site.url}/riverside-dental`)
  await expect(page.getByText('Loading...')).toBeVisible()
  await page.clock.fastForward(TIMEOUT_MS)
  await expect(page.getByRole('heading')).toHaveText('Page Not Found')
  await expect(page).toHaveTitle('Page Not Found')
})

test('a call that waits for such a read returns to idle, and the next press tries again', async ({
  page,
}) => {
  await openUnanswered(page, `${site.heyline.url}/riverside-dental`)
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
