import { writeFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { heading, openAsOwner, press } from './console-page.js'
import { complaintsOf } from './console-walk.js'
import { test } from './fixtures.js'
import { field, SUCCESS, submit } from './phone-form.js'
import { RunningHeyline } from './running-heyline.js'

/** What the whole trial may take, from the sign-in on, in ms. */
const LIMIT_MS = 5 * 60_000
const ROWS = 200
/** Each wrong in its own way, and what mends it. */
const WRONG: Readonly<
  Record<number, { slug: string; name: string; field: 'Slug' | 'Name'; mended: string }>
> = {
  3: { slug: 'with a space', name: 'Guest 3', field: 'Slug', mended: 'guest-3' },
  50: { slug: '', name: 'Guest 50', field: 'Slug', mended: 'guest-50' },
  99: { slug: 'guest-98', name: 'Guest 99', field: 'Slug', mended: 'guest-99' },
  120: { slug: 'guest-120', name: '', field: 'Name', mended: 'Guest 120' },
  199: { slug: 'g/199', name: 'Guest 199', field: 'Slug', mended: 'guest-199' },
}

let heyline: RunningHeyline
test.beforeEach(async () => {
  heyline = await RunningHeyline.start()
})
test.afterEach(() => heyline.stop())

test('who never used a terminal imports 200 people, mends 5, sends links and finds who called', async ({
  page,
  context,
}, testInfo) => {
  test.setTimeout(LIMIT_MS)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const complaints = await complaintsOf(page)
  const began = performance.now()
  await openAsOwner(page, heyline)

  const lines = Array.from({ length: ROWS }, (_, at) => {
    const { slug, name } = WRONG[at] ?? { slug: `guest-${at}`, name: `Guest ${at}` }
    return `${slug},${name},You answer for guest ${at}.`
  })
  const file = testInfo.outputPath('people.csv')
  writeFileSync(file, `slug,name,prompt\n${lines.join('\n')}\n`)
  await press(page, 'Import CSV')
  await page.getByLabel('CSV file').setInputFiles(file)
  await expect(page.getByText('195 good, 5 with a mistake, 0 there already')).toBeVisible()
  await page.getByLabel('Only rows with a mistake').click()
  for (const [at, wrong] of Object.entries(WRONG)) {
    const cell = page.getByLabel(`${wrong.field} of line ${Number(at) + 2}`, { exact: true })
    await cell.fill(wrong.mended)
    await cell.blur()
  }
  await expect(page.getByText('No row has a mistake.')).toBeVisible()

  await press(page, 'Import 200 visitors')
  await expect(page.getByText('200 visitors imported.')).toBeVisible()
  await press(page, 'Undo the import')
  await expect(page.getByText('The import is undone.')).toBeVisible()
  await expect(page.getByText('200 good, 0 with a mistake, 0 there already')).toBeVisible()
  await press(page, 'Import 200 visitors')
  await expect(page.getByText('200 visitors imported.')).toBeVisible()
  await press(page, 'Copy the links')
  await expect(page.getByLabel('Notices').getByText('200 links are copied.')).toBeVisible()
  const links = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
  expect(new Set(links).size).toBe(ROWS)

  // One of them opens the link, and has the page call.
  const guest = await context.newPage()
  await guest.emulateMedia({ reducedMotion: 'reduce' })
  await guest.goto(links.find((link) => link.endsWith('/guest-120')) ?? '')
  await expect(guest.getByText('Hey Guest 120,')).toBeVisible()
  await guest.getByRole('button', { name: 'Call Me' }).click()
  await field(guest).fill('4155552671')
  await submit(guest)
  await expect(guest.getByText(SUCCESS)).toBeVisible()

  await page.bringToFront()
  await page.getByRole('link', { name: 'Calls', exact: true }).click()
  await page.getByRole('link', { name: 'guest-120', exact: true }).click()
  await expect(heading(page, 'guest-120')).toBeFocused()
  await expect(page.getByText('+14155552671')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Asked for')
  expect(performance.now() - began).toBeLessThan(LIMIT_MS)
  expect(complaints()).toEqual([])
})
