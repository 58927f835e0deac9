import { expect } from '@playwright/test'
import { CHROMIUM_FLAGS } from './chromium-flags.js'
import { start } from './demo-page.js'
import { test } from './fixtures.js'
import { onServer } from './page-hosts.js'

// Without the flag that says yes for the person, and without a permission, a headless browser says no.
const args = CHROMIUM_FLAGS.filter((flag) => !flag.startsWith('--use-fake-ui'))
test.use({ permissions: [], ownBrowser: { args } })

onServer('a microphone that is denied', (host) => {
  test('leaves the page idle, without a message, and the form as it is', async ({ page }) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${host.url}/default`)
    await start(page).click()
    await expect(page.getByText('Call could not be started')).toBeAttached()
    await expect(start(page)).toBeEnabled()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.getByRole('button', { name: 'Call Me' }).click()
    await expect(page.getByRole('button', { name: 'Call Now' })).toBeVisible()
    await start(page).click()
    await expect(start(page)).toBeVisible()
    expect(errors).toEqual([])
  })
})
