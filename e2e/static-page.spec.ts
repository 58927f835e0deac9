import { expect } from '@playwright/test'
import { test } from './fixtures.js'
import type { StaticPage } from './static-page.js'

const VISITORS = '**/rest/v1/visitors*'

let site: StaticPage
test.beforeAll(async ({ servers }) => {
  site = await servers.staticPage()
})

test('shows the loading state until its lookup is answered, then greets', async ({ page }) => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(VISITORS, async (route) => {
    await answered
    await route.continue()
  })
  await page.goto(`${site.url}/riverside-dental`)
  await expect(page.getByText('Loading...')).toBeVisible()
  await expect(page).toHaveTitle('Loading...')
  answer()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey Riverside Dental,')
  await expect(page).toHaveTitle('Demo for Riverside Dental')
})

test('shows the not-found screen when the lookup fails', async ({ page }) => {
  for (const fail of ['refuse', 'break'] as const) {
    await page.route(VISITORS, (route) =>
      fail === 'refuse'
        ? route.fulfill({ status: 500, json: { code: 'XX000', message: 'broken' } })
        : route.abort('connectionrefused'),
    )
    await page.goto(`${site.url}/riverside-dental`)
    await expect(page.getByRole('heading')).toHaveText('Page Not Found')
    await expect(page).toHaveTitle('Page Not Found')
    await page.unroute(VISITORS)
  }
})

test('names its slug across origins, by which the backend shows it its own visitor', async ({ page }) => {
  const { code } = await site.heyline.command('visitors', 'add', 'harbour', '--name', 'Harbour')
  expect(code).toBe(0)
  const lookup = page.waitForRequest(VISITORS)
  await page.goto(`${site.url}/harbour`)
  expect((await lookup).headers()['x-visitor-slug']).toBe('harbour')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey Harbour,')
})

test('its policy keeps the page from every origin that it was not built for', async ({ page }) => {
  await page.goto(site.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey there,')
  const violated = await page.evaluate(async () => {
    const violation = new Promise<string>((resolve) =>
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective)),
    )
    await fetch('http://127.0.0.1:9/').catch(() => undefined)
    return violation
  })
  expect(violated).toBe('connect-src')
})
