import { expect, type Page } from '@playwright/test'
import { heading, openAsOwner, press } from './console-page.js'
import { callMe, complaintsOf, openScreen, SCREENS } from './console-walk.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'
import { storeVisitors } from './visitors.js'

const IMAGE = '<img src=x onerror="top.ran=1">'
const SCRIPT = '"><script>top.ran=1</script>'
const PROBES = IMAGE + SCRIPT

let heyline: RunningHeyline
test.beforeEach(async ({ page }) => {
  heyline = await RunningHeyline.start()
  await storeVisitors(heyline, [{ slug: 'probed', name: PROBES, system: PROBES, first_message: PROBES }])
  await openAsOwner(page, heyline)
})
test.afterEach(() => heyline.stop())

/** Whether something of a probe has become an element, here or in the preview. Text stays text. */
const madeOfProbes = async (page: Page) => {
  const found = await Promise.all(
    page.frames().map((frame) =>
      frame.evaluate(() => {
        const elements = [...document.querySelectorAll('[onerror], img[src="x"], script:not([src], [type])')]
        return elements.map(({ outerHTML }) => outerHTML)
      }),
    ),
  )
  return found.flat()
}

test('nothing that visitors, files, calls or addresses bring runs on any screen', async ({ page }) => {
  test.slow()
  await callMe(heyline, 'probed', '+14155552671')
  const complaints = await complaintsOf(page)
  const look = async (state: string) => {
    // A frame that is loading can not be asked yet.
    await expect(async () => expect(await madeOfProbes(page), state).toEqual([])).toPass()
    expect(await page.evaluate(() => Reflect.get(window, 'ran')), state).toBeUndefined()
  }

  await openScreen(page, heyline, '/visitors', 'Visitors')
  await expect(page.getByRole('link', { name: PROBES })).toBeVisible()
  await look('the list')
  await press(page, `Actions for ${PROBES}`)
  await look('the menu of a row')
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(page.getByRole('link', { name: PROBES })).toHaveCount(2)
  await look('the notice of a copy')

  await page.getByRole('link', { name: PROBES }).first().click()
  await expect(heading(page, PROBES)).toBeFocused()
  await expect(page.getByLabel('Prompt')).toHaveValue(PROBES)
  const preview = page.frameLocator('iframe[title="Preview of the page"]')
  // A loaded browser may draw a frame without scripts later than ten seconds: that its text is there is enough here.
  await expect(preview.getByText(`Hey ${PROBES},`)).toBeAttached()
  await look('the editor and its preview')
  await press(page, 'Link and QR code')
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await look('link and QR code')

  await openScreen(page, heyline, '/import-visitors', 'Import CSV')
  const cell = `"${PROBES.replaceAll('"', '""')}"`
  await page.getByLabel('CSV file').setInputFiles({
    name: `${IMAGE.replaceAll('/', '')}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `slug,name,system,${cell}\n${cell},${cell},${cell},x\nimported,${cell},${cell},${cell}\n`,
    ),
  })
  await expect(page.getByText('1 good, 1 with a mistake, 0 there already')).toBeVisible()
  await look('an import')
  await press(page, 'Import 1 visitor')
  await expect(page.getByText('1 visitor imported.')).toBeVisible()
  await look('what was imported')

  await openScreen(page, heyline, '/calls', 'Calls')
  await page.getByRole('link', { name: 'probed', exact: true }).click()
  const transcript = page.getByRole('region', { name: 'Transcript' })
  await expect(transcript).toContainText(IMAGE, { timeout: 30_000 })
  await look('a call')

  await openScreen(page, heyline, '/safety?part=do-not-call', 'Safety')
  await page.getByLabel('File of numbers').setInputFiles({
    name: 'numbers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`phone\n${cell}\n`),
  })
  await expect(page.getByText('1 line can not be taken')).toBeVisible()
  await look('numbers')

  await openScreen(page, heyline, `/audit?text=${encodeURIComponent(SCRIPT)}`, 'Audit')
  await look('the audit, asked for a probe')
  for (const [path, title] of SCREENS) {
    await openScreen(page, heyline, path, title)
    await look(path)
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.type('onerror')
  await expect(page.getByRole('option', { name: IMAGE }).first()).toBeVisible()
  await look('the palette')
  expect(complaints()).toEqual([])

  // A slug that nobody has is not found, and is shown as it stands in the address.
  await page.goto(`${heyline.url}/-/console/visitors/${encodeURIComponent(PROBES)}`)
  await expect(heading(page, PROBES)).toBeVisible()
  await expect(page.getByRole('main').getByRole('button')).toBeVisible()
  await look('a visitor whose slug is a probe')
})
