import { expect } from '@playwright/test'
import { CHROMIUM_FLAGS } from './chromium-flags.js'
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
    const start = page.getByRole('button', { name: 'Test in Browser', exact: true })
    await start.click()
    await expect(page.getByText('Call could not be started')).toBeAttached()
    await expect(start).toBeEnabled()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.getByRole('button', { name: 'Call Me' }).click()
    await expect(page.getByRole('button', { name: 'Call Now' })).toBeVisible()
    await start.click()
    await expect(start).toBeVisible()
    expect(errors).toEqual([])
  })
})
