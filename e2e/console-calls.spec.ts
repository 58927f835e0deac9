import { expect, type Page } from '@playwright/test'
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

const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()
const choose = async (page: Page, list: string, option: string) => {
  await page.getByRole('combobox', { name: list }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a call shows while it runs, is ended, made again, and its record deleted', async ({ page }) => {
  await goTo(page, 'Calls')
  await expect(heading(page, 'Calls')).toBeFocused()
  await expect(page.getByText('No calls yet')).toBeVisible()
  await callMe(heyline, 'default', '+14155552671')
  const row = page.getByRole('row', { name: /default/ })
  await expect(row).toContainText(/Ringing|Talking/)
  await expect(row).toContainText('…71')
  const talked = row.getByText(/^\d+:\d\d$/)
  await expect(talked).toHaveText('0:02', { timeout: 20_000 })
  await expect(talked).toHaveText('0:03')
  await expect(row).toContainText('Talking')
  await expectNoFindings(page, 'the calls')

  await choose(page, 'State', 'Refused')
  await expect(page.getByText('No such calls')).toBeVisible()
  await choose(page, 'State', 'Running')
  expect(page.url()).toContain('state=running')
  await row.getByRole('link', { name: 'default' }).click()

  await expect(heading(page, 'default')).toBeFocused()
  await press(page, 'End call')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline.getByRole('listitem').filter({ hasText: 'Ended' })).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText('An operator ended it')).toBeVisible()
  await expectNoFindings(page, 'a call')

  const first = page.url()
  await press(page, 'Call again')
  await expect.poll(() => page.url()).not.toBe(first)
  await press(page, 'End call')
  await press(page, 'Delete record')
  await press(page, 'Press again: gone for ever')
  await expect(heading(page, 'Calls')).toBeFocused()
  await expect(page.getByRole('row', { name: /default/ })).toHaveCount(1)
})

test('limits, spend and refusals are told, and numbers are imported after a look at the bad lines', async ({
  page,
}) => {
  await goTo(page, 'Safety')
  await expect(heading(page, 'Safety')).toBeFocused()
  await expect(page.getByText('CALL_LIMIT_NUMBER')).toBeVisible()
  await expectNoFindings(page, 'the limits')
  await page.getByRole('tab', { name: 'Spend' }).click()
  await expect(page.getByRole('figure', { name: 'Spend of each day' }).locator('svg').first()).toBeVisible()
  await expectNoFindings(page, 'the spend')
  await page.getByRole('tab', { name: 'Refusals' }).click()
  await expect(page.getByText('Nothing was refused')).toBeVisible()

  await page.getByRole('tab', { name: 'Do not call' }).click()
  await page.getByLabel('File of numbers').setInputFiles({
    name: 'numbers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('phone\n+14155552671\nnobody\n+442079460018\n'),
  })
  await expect(page.getByText('1 line can not be taken')).toBeVisible()
  await press(page, 'Import 2 good numbers')
  await expect(page.getByRole('rowheader', { name: '+14155552671' })).toBeVisible()
  await press(page, 'Remove +14155552671')
  await expect(page.getByRole('rowheader', { name: '+14155552671' })).toHaveCount(0)
  await press(page, 'Undo')
  await expect(page.getByRole('rowheader', { name: '+14155552671' })).toBeVisible()
  await expectNoFindings(page, 'the do-not-call list')
})
