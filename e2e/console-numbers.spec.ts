import { expect } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { heading, OWNER, openLink, sendAccount, setupLink } from './console-page.js'
import { openScreen } from './console-walk.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'

let heyline: RunningHeyline
test.beforeEach(async ({ page }) => {
  test.slow()
  heyline = await RunningHeyline.start({})
  await openLink(page, await setupLink(heyline))
  await sendAccount(page, OWNER, 'Create the owner')
  await expect(heading(page, 'Visitors')).toBeFocused()
  await openScreen(page, heyline, '/settings', 'Settings')
})
test.afterEach(() => heyline.stop())

test('an owner adds a number to call from, makes it the default and removes the other', async ({ page }) => {
  const row = (number: string) => page.getByRole('listitem', { name: number })
  await expect(row('+12025550100').getByText('Default')).toBeVisible()
  const add = async (number: string) => {
    await page.getByRole('button', { name: 'Add number' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add number' })
    await dialog.getByLabel('Number', { exact: true }).fill(number)
    await dialog.getByLabel('Name (optional)').fill('Sales')
    await dialog.getByRole('button', { name: 'Add the number' }).click()
    return dialog
  }
  const dialog = await add('0415')
  await expect(dialog.getByText(/E\.164 format/)).toBeVisible()
  await expectNoFindings(page, 'adding a number')
  await dialog.getByLabel('Number', { exact: true }).fill('+1 415 555 2671')
  await dialog.getByRole('button', { name: 'Add the number' }).click()
  await row('+14155552671').getByRole('button', { name: 'Make it the default' }).click()
  await expect(row('+14155552671').getByText('Default')).toBeVisible()
  await row('+12025550100').getByRole('button', { name: 'Remove' }).click()
  await row('+12025550100')
    .getByRole('button', { name: /^Press again/ })
    .click()
  await expect(row('+12025550100')).toBeHidden()
  await expectNoFindings(page, 'the numbers')
})
