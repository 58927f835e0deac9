import { expect } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { heading, openAsOwner, press } from './console-page.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'

let heyline: RunningHeyline
test.beforeEach(async ({ page }) => {
  heyline = await RunningHeyline.start()
  await openAsOwner(page, heyline)
})
test.afterEach(() => heyline.stop())

test('an owner changes the assistant, takes it back, and talks to it', async ({ page }) => {
  await page.getByRole('link', { name: 'Assistant', exact: true }).click()
  await expect(heading(page, 'Assistant')).toBeFocused()
  const firstMessage = page.getByLabel('First message')
  await expect(firstMessage).toHaveValue(/^Hello! I am the demo assistant/)
  await firstMessage.fill('Good day, this is the test.')
  await press(page, 'Save')
  await expect(page.getByText('The assistant was changed.')).toBeVisible()
  await press(page, 'Undo')
  await expect(firstMessage).toHaveValue(/^Hello! I am the demo assistant/)
  await firstMessage.fill('Good day, this is the test.')
  await press(page, 'Save')

  await page.getByLabel('Longest call').fill('120')
  await press(page, 'Save limits')
  await expect(page.getByText('The limits were changed.')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill(' ')
  await press(page, 'Save')
  await expect(page.getByRole('alert')).toHaveText('The assistant needs a name')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()

  await press(page, 'Start test call')
  await expect(page.getByRole('status').filter({ hasText: 'In a call' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'What is said' })).toContainText(
    'Assistant: Good day, this is the test.',
  )
  await press(page, 'Mute')
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible()
  await expectNoFindings(page, 'a test call')
  await press(page, 'End test call')
  await expect(page.getByText('Not in a call')).toBeVisible()

  await page.getByRole('link', { name: 'Audit', exact: true }).click()
  await expect(page.getByRole('row', { name: /Test call begun/ })).toBeVisible()
  await page.getByLabel('Search the audit').fill('maxDuration')
  await expect(page.getByRole('row', { name: /Test call begun/ })).toBeHidden()
  await expect(page.getByRole('row', { name: /Limits of the assistant changed/ })).toBeVisible()
  await expectNoFindings(page, 'the audit')
})

test('an owner invites somebody, changes their role, removes them, and looks at the settings', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'Team', exact: true }).click()
  await press(page, 'Invite')
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await press(page, 'Make the link')
  const link = page.getByRole('dialog', { name: 'The link' })
  await expect(link.getByText(`${heyline.url}/-/console/#token_hash=`)).toBeVisible()
  await press(page, 'Done')
  const row = page.getByRole('row', { name: /grace@example\.com/ })
  await expect(row).toContainText('Invited')
  await row.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Viewer' }).click()
  await expect(page.getByText('grace@example.com is now viewer.')).toBeVisible()
  await expectNoFindings(page, 'the team')
  await press(page, 'Actions for grace@example.com')
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(row).toBeHidden()
  await page
    .getByRole('dialog')
    .filter({ hasText: 'grace@example.com was removed' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(page.getByRole('dialog', { name: 'The link' })).toBeVisible()
  await press(page, 'Done')
  await expect(row).toContainText('Viewer')

  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page.getByText('the running server uses it')).toBeVisible()
  const { secret } = await heyline.keys()
  await expect(page.getByText(secret)).toBeHidden()
  await press(page, 'Show the keys')
  await expect(page.getByText(secret)).toBeVisible()
  await press(page, 'Hide the keys')
  await expectNoFindings(page, 'the settings')
  await page.getByRole('link', { name: 'Help', exact: true }).click()
  await expect(heading(page, 'Help')).toBeFocused()
  await expectNoFindings(page, 'the help')
})

test('an owner looks at what the assistant was, and goes back', async ({ page }) => {
  await page.getByRole('link', { name: 'Assistant', exact: true }).click()
  const firstMessage = page.getByLabel('First message')
  await expect(firstMessage).toHaveValue(/^Hello! I am the demo assistant/)
  const versions = page.getByRole('region', { name: 'Versions' })
  await expect(versions.getByRole('listitem')).toHaveCount(1)
  await firstMessage.fill('Good day, this is the test.')
  await press(page, 'Save')
  const newest = versions.getByRole('listitem', { name: 'Version 2' })
  await expect(newest).toContainText('Speaks now')
  await expect(newest).toContainText('changed: first message')

  await versions.getByRole('button', { name: 'Details of version 1' }).focus()
  await page.keyboard.press('Enter')
  const different = versions.getByRole('region', { name: 'What is different from now' })
  await expect(different).toContainText('Good day, this is the test.')
  await expect(different).toContainText('Hello! I am the demo assistant')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectNoFindings(page, `versions, ${colorScheme}`)
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  await versions.getByRole('button', { name: 'Restore version 1' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The assistant is what it was in version 1.')).toBeVisible()
  await expect(firstMessage).toHaveValue(/^Hello! I am the demo assistant/)
  await expect(versions.getByRole('listitem', { name: 'Version 3' })).toContainText('Speaks now')
  await press(page, 'Undo')
  await expect(firstMessage).toHaveValue('Good day, this is the test.')
})
