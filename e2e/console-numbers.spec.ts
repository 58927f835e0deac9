import { expect } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { heading, OWNER, openLink, press, sendAccount, setupLink } from './console-page.js'
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

test('an editor chooses the number that calls a visitor, where there is a choice, and a viewer sees it', async ({
  page,
  browser,
}) => {
  await heyline.command('visitors', 'add', 'before', '--name', 'Before')
  const field = page.getByRole('combobox', { name: 'Call from' })
  await openScreen(page, heyline, '/visitors/before', 'Before')
  await expect(page.getByLabel('First message')).toBeVisible()
  await expect(field).toBeHidden()

  await heyline.command('numbers', 'add', '+14155552671', '--name', 'East coast')
  const choose = async (name: string) => {
    await field.click()
    await page.getByRole('option', { name }).click()
    await expect(field).toHaveText(name)
  }
  await openScreen(page, heyline, '/add-visitor', 'Add visitor')
  await expect(field).toHaveText('Default number (+12025550100)')
  await page.getByLabel('Name', { exact: true }).fill('Acme')
  await page.getByLabel('Slug', { exact: true }).fill('acme')
  await choose('+14155552671 · East coast')
  await expectNoFindings(page, 'adding a visitor with a number of their own')
  await page.locator('form').getByRole('button', { name: 'Add visitor' }).click()
  await expect(heading(page, 'Acme')).toBeVisible()
  await expect(field).toHaveText('+14155552671 · East coast')
  expect((await heyline.command('numbers', 'of', 'acme')).out).toContain('called from +14155552671')

  await choose('Default number (+12025550100)')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Notices').getByText('Acme was saved.')).toBeVisible()
  expect((await heyline.command('numbers', 'of', 'acme')).out).toContain('called from the default number')

  await heyline.command('visitors', 'update', 'acme', '--caller-id', '+14155552671')
  const { out } = await heyline.command(
    ...['operators', 'invite', 'grace@example.com', '--role', 'viewer', '--json'],
  )
  const theirs = await (await browser.newContext()).newPage()
  await openLink(theirs, JSON.parse(out).link)
  await press(theirs, 'Accept the invitation')
  await theirs.getByLabel('New password').fill('seven small lanterns')
  await press(theirs, 'Save the password')
  await expect(heading(theirs, 'Visitors')).toBeFocused()
  await openScreen(theirs, heyline, '/visitors/acme', 'Acme')
  const shown = theirs.getByRole('combobox', { name: 'Call from' })
  await expect(shown).toHaveText('+14155552671 · East coast')
  await expect(shown).toBeDisabled()
  await expectNoFindings(theirs, 'a visitor with a number of their own, viewer')
  await theirs.context().close()
})
