import { expect } from '@playwright/test'
import { test } from './fixtures.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { openForm } from './phone-form.js'

const PRIVACY_URL = 'https://example.com/privacy'

onEveryHost(
  'the link for privacy',
  (host) => {
    test('stands below the form, and opens a tab of its own', async ({ page }) => {
      await page.goto(`${host.url}/default`)
      const link = page.getByRole('link', { name: 'Privacy', exact: true })
      await expect(page.getByRole('button', { name: 'Call Me' })).toBeVisible()
      await expect(link).toBeHidden()
      await openForm(page, host)
      await expect(link).toHaveAttribute('href', PRIVACY_URL)
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
      const form = await page.getByRole('form').boundingBox()
      const below = await link.boundingBox()
      expect(below?.y).toBeGreaterThan((form?.y ?? Number.POSITIVE_INFINITY) + (form?.height ?? 0))
      expect(below?.height).toBeGreaterThanOrEqual(24)
      await page.getByRole('button', { name: 'Call Me' }).click()
      await expect(link).toBeHidden()
    })
  },
  { PRIVACY_URL },
)

onServer('a page without PRIVACY_URL', (host) => {
  test('has no link for privacy', async ({ page }) => {
    await openForm(page, host)
    await expect(page.getByRole('link')).toHaveText(['Website'])
  })
})
