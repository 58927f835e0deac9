import { expect, type Page } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { heading, openAsOwner, openLink, press } from './console-page.js'
import { callMe, complaintsOf, openScreen, SCREENS } from './console-walk.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'

const VIEWER = { email: 'grace@example.com', password: 'seven small lanterns' }

let heyline: RunningHeyline
test.beforeEach(async ({ page }) => {
  test.slow()
  heyline = await RunningHeyline.start()
  await openAsOwner(page, heyline)
})
test.afterEach(() => heyline.stop())

/** Walks all screens, and the visitor's and the call's that the lists lead to. */
async function walk(page: Page, look: (state: string) => Promise<void>) {
  for (const [path, title] of SCREENS) {
    await openScreen(page, heyline, path, title)
    await look(path)
  }
  await openScreen(page, heyline, '/visitors', 'Visitors')
  await page.getByRole('link', { name: 'Riverside Dental' }).click()
  await expect(heading(page, 'Riverside Dental')).toBeFocused()
  await look('a visitor')
  await openScreen(page, heyline, '/calls', 'Calls')
  await page.getByRole('link', { name: 'riverside-dental' }).click()
  await expect(heading(page, 'riverside-dental')).toBeFocused()
  await look('a call')
  await openScreen(page, heyline, '/timeline', 'Timeline')
  await page.getByRole('link', { name: 'Riverside Dental' }).click()
  await expect(heading(page, 'riverside-dental')).toBeFocused()
  await look('the timeline of a visitor')
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('an owner sees every screen without a finding, an error or anything forbidden', async ({ page }) => {
  await callMe(heyline, 'riverside-dental', '+14155552671')
  const complaints = await complaintsOf(page)
  await walk(page, async (state) => {
    await expectNoFindings(page, state)
    await page.setViewportSize({ width: 390, height: 844 })
    // A chart takes a moment to have the new width.
    await expect.poll(() => overflow(page), { message: state }).toBeLessThanOrEqual(0)
  })
  expect(complaints()).toEqual([])
})

/** What a viewer can press on the screens; on the others nothing. */
const PRESSED: Readonly<Record<string, RegExp>> = {
  '/visitors': /^(Name|Slug|Added|Actions for .*|Previous page|Next page)$/,
  '/calls': /^(Previous page|Next page)$/,
  '/account': /^(Sign out|Add a second factor|Save the password|Add key)$/,
  '/assistant': /^Details of version \d+$/,
  '/nowhere': /^Go to the visitors$/,
  'a visitor': /^(Link and QR code|Timeline)$/,
}

test('a viewer sees no control that would be refused', async ({ browser }) => {
  await callMe(heyline, 'riverside-dental', '+14155552671')
  const { out } = await heyline.command('operators', 'invite', VIEWER.email, '--role', 'viewer', '--json')
  const page = await (await browser.newContext()).newPage()
  await openLink(page, JSON.parse(out).link)
  await press(page, 'Accept the invitation')
  await page.getByLabel('New password').fill(VIEWER.password)
  await press(page, 'Save the password')
  await expect(heading(page, 'Visitors')).toBeFocused()
  const complaints = await complaintsOf(page)
  await walk(page, async (state) => {
    const buttons = page.getByRole('main').getByRole('button')
    const names = await buttons.evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim() ?? ''),
    )
    const allowed = PRESSED[state] ?? /^$/
    expect(
      names.filter((name) => !allowed.test(name)),
      state,
    ).toEqual([])
    await expect(page.getByRole('button', { name: /^(Pause|Resume) calls$/ })).toHaveCount(0)
    await expectNoFindings(page, `${state}, viewer`)
  })
  await openScreen(page, heyline, '/visitors', 'Visitors')
  await press(page, 'Actions for Riverside Dental')
  await expect(page.getByRole('menuitem')).toHaveText(['Copy link', 'Link and QR code', 'Timeline'])
  expect(complaints()).toEqual([])
  await page.context().close()
})
