import { expect } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { heading, openAsOwner, press } from './console-page.js'
import { callMe } from './console-walk.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'

let heyline: RunningHeyline
test.beforeEach(async ({ page }) => {
  heyline = await RunningHeyline.start()
  await openAsOwner(page, heyline)
})
test.afterEach(() => heyline.stop())

test('what a visitor does shows in the timeline as it happens', async ({ page }) => {
  await page.getByRole('link', { name: 'Timeline', exact: true }).first().click()
  await expect(heading(page, 'Timeline')).toBeFocused()
  await expect(page.getByText('Nobody was here yet')).toBeVisible()
  await callMe(heyline, 'riverside-dental', '+14155552671')
  const row = page.getByRole('row', { name: /Riverside Dental/ })
  await expect(row).toBeVisible({ timeout: 5_000 })
  await expectNoFindings(page, 'who was here')

  await page.getByRole('combobox', { name: 'Which visitors' }).click()
  await page.getByRole('option', { name: 'Opened, not called' }).click()
  await expect(page.getByText('Nobody like that')).toBeVisible()
  expect(page.url()).toContain('who=opened_not_called')

  await page.getByRole('radio', { name: 'Everything' }).check({ force: true })
  await expect(page.getByRole('row', { name: /Asked for a phone call.*riverside-dental/ })).toBeVisible()
  await page.getByRole('combobox', { name: 'What happened' }).click()
  await page.getByRole('option', { name: 'Calls paused' }).click()
  await expect(page.getByText('Nothing happened yet')).toBeVisible()
  await press(page, 'Pause calls')
  const paused = page.getByRole('row', { name: /Calls paused.*The installation/ })
  await expect(paused).toBeVisible({ timeout: 5_000 })
  await expectNoFindings(page, 'all that happened')

  await page.goBack()
  await page
    .getByRole('row', { name: /Asked for a phone call/ })
    .getByRole('link', { name: 'riverside-dental' })
    .click()
  await expect(heading(page, 'riverside-dental')).toBeFocused()
  await expect(page.getByRole('img', { name: '0 opens and 1 call in the last 30 days' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'In numbers' })).toContainText('Calls1')
  await expectNoFindings(page, 'the timeline of a visitor')
})

test('a double-click that was meant for another window pauses no calls', async ({ page }) => {
  // As where a window that was in front has closed at the first of the two clicks.
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await press(page, 'Pause calls')
  await expect(page.getByText('Nothing was changed: you have only just come back')).toBeVisible()
  await expect(page.getByText('Calls are on', { exact: true })).toBeVisible()
  await page.waitForTimeout(1_000)
  await press(page, 'Pause calls')
  await expect(page.getByText('Calls are paused', { exact: true })).toBeVisible()
})
