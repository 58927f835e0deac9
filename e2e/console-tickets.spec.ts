import { expect, type Page } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { heading, openAsOwner, openLink, press } from './console-page.js'
import { complaintsOf, openScreen } from './console-walk.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'

const VIEWER = { email: 'grace@example.com', password: 'seven small lanterns' }
const MARKUP = '<img src=x onerror="document.title = 1"> & more'

let heyline: RunningHeyline
test.beforeEach(async ({ page }) => {
  test.slow()
  heyline = await RunningHeyline.start()
  await openAsOwner(page, heyline)
})
test.afterEach(() => heyline.stop())

async function write(ticket: { category: string; subject: string; message: string; [more: string]: string }) {
  const { platformPrivate } = await heyline.keys()
  const answer = await fetch(`${heyline.url}/-/platform/support/ticket`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platformPrivate}`, 'content-type': 'application/json' },
    body: JSON.stringify(ticket),
  })
  expect(answer.status).toBe(201)
  const { id } = await answer.json()
  return id as string
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('an owner reads what somebody wrote as it comes, as text alone, and removes it by keys', async ({
  page,
}) => {
  const complaints = await complaintsOf(page)
  await openScreen(page, heyline, '/tickets', 'Tickets')
  await expect(page.getByRole('heading', { name: 'No tickets yet' })).toBeVisible()
  await expect(page.getByText('POST /-/platform/support/ticket')).toBeVisible()
  await expectNoFindings(page, 'no tickets')

  await write({ category: 'sales', subject: 'Twenty more seats', message: 'What would they cost?' })
  await write({
    ...{ category: 'bug-report', bugSubcategory: 'latency', subject: MARKUP },
    ...{ message: `${MARKUP}\n  It stays so.\n${'w'.repeat(2000)}`, callDetails: 'call 1,\ncall 2' },
  })
  const link = page.getByRole('link', { name: MARKUP })
  await expect(link).toBeVisible()
  await expect(page.getByRole('row')).toHaveText([
    /Subject/,
    /^<img.*Bug report.*with a key/,
    /^Twenty.*Sales/,
  ])
  await expectNoFindings(page, 'tickets')

  await link.focus()
  await page.keyboard.press('Enter')
  await expect(heading(page, MARKUP)).toBeFocused()
  await expect(page.getByRole('region', { name: 'Message' })).toContainText(`${MARKUP}\n  It stays so.`)
  await expect(page.getByRole('region', { name: 'Calls it is about' })).toContainText('call 1,\ncall 2')
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('Slow answers')
  await expect(page).toHaveTitle(`${MARKUP} – Heyline`)
  await expectNoFindings(page, 'a ticket')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0)
  await expectNoFindings(page, 'a ticket on a phone')

  await page.getByRole('button', { name: 'Remove' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Press again: gone for ever' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Tickets')).toBeFocused()
  await expect(page.getByLabel('Notices').getByText(/^“<img.* is removed\.$/)).toBeVisible()
  await expect(link).toBeHidden()
  await expect(page.getByRole('link', { name: 'Twenty more seats' })).toBeVisible()
  expect(complaints()).toEqual([])
})

test('a viewer is told who reads tickets, and asks for none', async ({ browser }) => {
  const id = await write({ category: 'sales', subject: 'Seats', message: 'What would they cost?' })
  const { out } = await heyline.command('operators', 'invite', VIEWER.email, '--role', 'viewer', '--json')
  const page = await (await browser.newContext()).newPage()
  await openLink(page, JSON.parse(out).link)
  await press(page, 'Accept the invitation')
  await page.getByLabel('New password').fill(VIEWER.password)
  await press(page, 'Save the password')
  await expect(heading(page, 'Visitors')).toBeFocused()
  const complaints = await complaintsOf(page)
  for (const [path, title] of [
    ['/tickets', 'Tickets'],
    [`/tickets/${id}`, 'Ticket'],
  ] as const) {
    await openScreen(page, heyline, path, title)
    await expect(page.getByText('Only editors and owners read tickets')).toBeVisible()
    await expectNoFindings(page, `${path}, viewer`)
  }
  expect(complaints()).toEqual([])
  await page.context().close()
})
