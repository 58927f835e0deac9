import { expect, type Page } from '@playwright/test'
import { browserCall, callMe, open } from './demo-page.js'
import { test } from './fixtures.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { FAILURE, field } from './phone-form.js'

/** Holds what the page fetches by this name back, until the function that it returns is called. */
async function hold(page: Page, files: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(files, async (route) => {
    await released
    await route.continue()
  })
  return release
}

const CODE = '**/assets/client-*.js'
const FORM = '**/assets/phone-form-*.js'

/** Opens the page up to where its code is awaited. A server with other work may send it before it knows the visitor: then again. */
async function openWithoutCode(page: Page, url: string) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(async () => {
    await page.goto(`${url}/riverside-dental`, { waitUntil: 'commit' })
    await expect(callMe(page)).toBeVisible({ timeout: 2_000 })
  }).toPass()
}

/** The browser's own before the page's code is there, then the page's. */
const notice = (page: Page) =>
  page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: 'Loading...' })

onServer('before the page’s code is there', (host) => {
  for (const [how, press] of [
    ['a click', (page: Page) => callMe(page).click()],
    ['a key', (page: Page) => callMe(page).press('Enter')],
    ['two clicks', (page: Page) => callMe(page).click({ clickCount: 2 })],
  ] as const)
    test(`${how} on Call Me is answered at once, and opens the form later`, async ({ page }) => {
      const release = await hold(page, CODE)
      await openWithoutCode(page, host.url)
      await expect(notice(page)).toHaveCount(0)
      await press(page)
      await expect(notice(page)).toBeVisible()
      await expect(callMe(page)).toHaveText('Call Me')
      release()
      await expect(field(page)).toBeFocused()
      await expect(notice(page)).toHaveCount(0)
      await callMe(page).click()
      await expect(field(page)).toHaveCount(0)
      await expect(notice(page)).toHaveCount(0)
    })

  test('a press on Test in Browser is answered at once, and starts the call later', async ({ page }) => {
    const release = await hold(page, CODE)
    await openWithoutCode(page, host.url)
    await browserCall(page).click()
    await expect(notice(page)).toBeVisible()
    release()
    await expect(browserCall(page)).toHaveText('Stop Call')
    await expect(notice(page)).toHaveCount(0)
    await expect(field(page)).toHaveCount(0)
    await browserCall(page).click()
    await expect(browserCall(page)).toHaveText('Test in Browser')
  })

  test('nothing happens later where nothing was pressed', async ({ page }) => {
    const release = await hold(page, CODE)
    await openWithoutCode(page, host.url)
    await callMe(page).focus()
    release()
    await expect(page.locator('[popovertarget]')).toHaveCount(0)
    await expect(callMe(page)).toHaveAttribute('aria-expanded', 'false')
    await expect(browserCall(page)).toHaveText('Test in Browser')
  })
})

onEveryHost('while the form is fetched', (host) => {
  test('a press on Call Me is answered at once, and more presses wait with it', async ({ page }) => {
    const release = await hold(page, FORM)
    await open(page, host.url)
    await callMe(page).click()
    await expect(callMe(page)).toHaveAttribute('aria-busy', 'true')
    await expect(callMe(page)).toHaveText('Call Me')
    await expect(notice(page)).toBeVisible()
    await callMe(page).click({ force: true })
    release()
    await expect(field(page)).toBeFocused()
    await expect(callMe(page)).toHaveAttribute('aria-busy', 'false')
    await expect(notice(page)).toHaveCount(0)
  })

  test('a form that cannot be had says so, and the next press tries again', async ({ page }) => {
    await page.route(FORM, (route) => route.abort())
    await open(page, host.url)
    await callMe(page).click()
    await expect(page.getByText(FAILURE)).toBeVisible()
    await expect(callMe(page)).toHaveAttribute('aria-busy', 'false')
    await page.unroute(FORM)
    await callMe(page).click()
    await expect(field(page)).toBeFocused()
    await expect(page.getByText(FAILURE)).toHaveCount(0)
  })
})
