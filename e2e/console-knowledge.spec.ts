import { expect, type Page } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { heading, openAsOwner, openLink, press } from './console-page.js'
import { complaintsOf, openScreen } from './console-walk.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'

const VIEWER = { email: 'grace@example.com', password: 'seven small lanterns' }
const VISITOR = '/visitors/riverside-dental'

let heyline: RunningHeyline
test.beforeEach(async ({ page }) => {
  heyline = await RunningHeyline.start()
  await openAsOwner(page, heyline)
})
test.afterEach(() => heyline.stop())

const panel = (page: Page) => page.getByRole('region', { name: 'Knowledge' })
const files = (page: Page) => panel(page).getByRole('list', { name: 'Knowledge' }).getByRole('listitem')
const text = (name: string, content: string) => ({
  ...{ name, mimeType: 'text/plain' },
  buffer: Buffer.from(content),
})

test('a visitor gets knowledge in the console: with progress, refusals that say what to do, and by keys alone', async ({
  page,
}) => {
  const complaints = await complaintsOf(page)
  await openScreen(page, heyline, VISITOR, 'Riverside Dental')
  await expect(panel(page)).toContainText('No files yet.')
  const chooser = panel(page).getByLabel('Add files')

  // Held back, so that the progress can be looked at.
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/-/office/visitor/knowledge?**', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await chooser.setInputFiles([
    text('hours.txt', 'We open at nine.'),
    text('prices.csv', 'what,price\ncheck,40'),
  ])
  const progress = panel(page).getByRole('progressbar', { name: /^(Sending|Reading) hours\.txt$/ })
  await expect(progress).toBeVisible()
  await expect(progress).toHaveAttribute('aria-valuetext', /%, file 1 of 2$/)
  await expectNoFindings(page, 'knowledge on its way')
  letGo()
  await expect(files(page)).toHaveCount(2)
  await expect(progress).toBeHidden()
  await expect(page.getByLabel('Notices').getByText('2 files were added.')).toBeVisible()
  await expect(files(page).first()).toContainText('Ready')

  await chooser.setInputFiles([
    text('song.mp3', 'la'),
    { ...text('long.txt', ''), buffer: Buffer.alloc(20_000_001, 97) },
    text('broken.pdf', '%PDF-1.4 and no more'),
    text('hours.txt', 'We open at eight.'),
  ])
  const refused = panel(page).getByRole('list', { name: 'Not added' }).getByRole('listitem')
  await expect(refused).toHaveText([
    /^song\.mp3: files of this kind are not read\. Save it as one of these: txt, .*csv\.$/,
    'long.txt has more than 20 MB: split it into several files.',
    /^broken\.pdf: The PDF cannot be read/,
  ])
  await expect(files(page)).toHaveCount(2)

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectNoFindings(page, `knowledge, ${colorScheme}`)
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  await panel(page).getByRole('button', { name: 'Remove prices.csv' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(files(page)).toHaveCount(1)
  await expect(chooser).toBeFocused()
  const { out } = await heyline.command('visitors', 'knowledge', 'riverside-dental', '--json')
  expect(JSON.parse(out)).toMatchObject([{ name: 'hours.txt', bytes: 17, status: 'done' }])
  // Chromium writes every refusal into its console.
  expect(complaints().filter((complaint) => !/\b422\b/.test(complaint))).toEqual([])
})

test('a viewer sees the files, and no way to change them', async ({ browser }) => {
  const office = {
    authorization: `Bearer ${(await heyline.keys()).secret}`,
    'content-type': 'application/json',
  }
  const added = await fetch(`${heyline.url}/-/office/visitor/knowledge?slug=riverside-dental`, {
    method: 'POST',
    headers: office,
    body: JSON.stringify({ name: 'menu.txt', content: Buffer.from('Lentil soup.').toString('base64') }),
  })
  expect(added.status).toBe(201)
  const { out } = await heyline.command('operators', 'invite', VIEWER.email, '--role', 'viewer', '--json')
  const page = await (await browser.newContext()).newPage()
  await openLink(page, JSON.parse(out).link)
  await press(page, 'Accept the invitation')
  await page.getByLabel('New password').fill(VIEWER.password)
  await press(page, 'Save the password')
  await expect(heading(page, 'Visitors')).toBeFocused()
  await openScreen(page, heyline, VISITOR, 'Riverside Dental')
  await expect(files(page)).toContainText(['menu.txt'])
  await expect(panel(page).getByRole('button')).toHaveCount(0)
  await expect(panel(page).getByLabel('Add files')).toHaveCount(0)
  await page.context().close()
})
