import { readFileSync, writeFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
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

const table = (page: Page) => page.getByRole('table', { name: 'Visitors' })
const preview = (page: Page) => page.frameLocator('iframe[title="Preview of the page"]')
const notice = (page: Page, text: string | RegExp) => page.getByLabel('Notices').getByText(text)
const PROBE = '<img src=x onerror="document.title=1">'

test('@main a visitor is added beside the preview', async ({ page }) => {
  await page.keyboard.press('n')
  await expect(heading(page, 'Add visitor')).toBeFocused()
  await page.getByLabel('Name', { exact: true }).fill(PROBE)
  await expect(preview(page).getByText(`Hey ${PROBE},`)).toBeAttached()
  await page.getByLabel('Name', { exact: true }).fill('Lighthouse Optics')
  await expect(preview(page).getByText('Hey Lighthouse Optics,')).toBeAttached()
  const paper = preview(page).locator('body')
  // The preview may be written anew at any moment.
  let light = ''
  await expect
    .poll(async () => {
      light = await paper.evaluate((body) => getComputedStyle(body).backgroundColor).catch(() => '')
      return light
    })
    .toMatch(/^rgb/)
  await page.getByText('Dark', { exact: true }).click()
  await expect(paper).not.toHaveCSS('background-color', light)
  await page.getByText('Desktop', { exact: true }).click()
  await press(page, 'Offer a private slug')
  await expect(page.getByLabel('Slug', { exact: true })).toHaveValue(/^lighthouse-optics-[a-z2-9]{6}$/)
  const slug = await page.getByLabel('Slug', { exact: true }).inputValue()
  await page.getByLabel('Prompt').fill('You answer for a dentist. ')
  await press(page, 'Insert {{date}}')
  await expect(page.getByLabel('Prompt')).toHaveValue('You answer for a dentist. {{date}}')
  await page.locator('form').getByRole('button', { name: 'Add visitor' }).click()
  await expect(heading(page, 'Lighthouse Optics')).toBeFocused()
  expect(JSON.parse((await heyline.command('visitors', 'show', slug, '--json')).out)).toMatchObject({ slug })
})

test('a visitor is changed, found, duplicated, removed and put back', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const slug = 'lighthouse-optics'
  await page.keyboard.press('n')
  await page.getByLabel('Name', { exact: true }).fill('Lighthouse Optics')
  await page.getByLabel('Slug', { exact: true }).fill(slug)
  await expect(preview(page).getByText('Hey Lighthouse Optics,')).toBeAttached()
  await expectNoFindings(page, 'add visitor')
  await page.locator('form').getByRole('button', { name: 'Add visitor' }).click()
  await expect(heading(page, 'Lighthouse Optics')).toBeFocused()

  await page.getByLabel('Name', { exact: true }).fill('Typed meanwhile')
  await heyline.command('visitors', 'update', slug, '--first-message', 'From elsewhere')
  await expect(page.getByLabel('First message')).toHaveValue('From elsewhere')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Typed meanwhile')
  await page.getByLabel('Name', { exact: true }).fill('Lighthouse Optics')

  await press(page, 'Link and QR code')
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await expect(page.getByRole('link', { name: `${heyline.url}/${slug}` })).toBeVisible()
  await expectNoFindings(page, 'link and QR code')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Visitors', exact: true }).first().click()
  await page.keyboard.press('/')
  await page.keyboard.type('OPTICS')
  await expect(page).toHaveURL(/[?&]text=OPTICS/)
  await expect(table(page).getByText(slug, { exact: true })).toBeVisible()
  const menu = () => press(page, 'Actions for Lighthouse Optics')
  await menu()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect(notice(page, 'The link is copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${heyline.url}/${slug}`)
  await menu()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(table(page).getByRole('checkbox')).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  await page
    .getByRole('region', { name: 'Selected visitors' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await expect(heading(page, 'Visitors')).toBeVisible()
  await expect(page.getByText('Nobody is found')).toBeVisible()
  await press(page, 'Undo')
  await expect(table(page).getByText(slug, { exact: true })).toBeVisible()
})

test('a file of visitors is imported, mended, undone and exported', async ({ page, context }, testInfo) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const rows = Array.from({ length: 200 }, (_, at) => {
    const isWrong = [3, 50, 99, 120, 199].includes(at)
    return `${isWrong ? `bad slug ${at}` : `guest-${at}`},${at === 7 ? PROBE.replaceAll('"', '') : `Guest ${at}`},=1+1`
  })
  const file = testInfo.outputPath('guests.csv')
  writeFileSync(file, `Link;Company;Prompt\n${rows.join('\n')}\n`.replaceAll(',', ';'))
  await press(page, 'Import CSV')
  await page.getByLabel('CSV file').setInputFiles(file)
  await expect(page.getByText('195 good, 5 with a mistake, 0 there already')).toBeVisible()
  await page.getByLabel('Only rows with a mistake').click()
  await expect(page.getByText(/A slug is a letter or digit/)).toHaveCount(5)
  await expectNoFindings(page, 'import')
  for (const at of [3, 50, 99, 120, 199]) {
    const field = page.getByLabel(`Slug of line ${at + 2}`, { exact: true })
    await field.fill(`guest-${at}`)
    await field.blur()
  }
  await press(page, 'Import 200 visitors')
  await expect(page.getByText('200 visitors imported.')).toBeVisible()
  await press(page, 'Copy the links')
  await expect(notice(page, '200 links are copied.')).toBeVisible()
  const links = await page.evaluate(() => navigator.clipboard.readText())
  expect(links.split('\n')).toHaveLength(200)
  expect(links.split('\n')[8]).toBe(`${heyline.url}/guest-8`)
  await press(page, 'To the visitors')
  await expect(page.getByText(/^1–100 of 20\d$/)).toBeVisible()
  await press(page, 'Next page')
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByText(/^101–200 of 20\d$/)).toBeVisible()
  const selection = page.getByRole('region', { name: 'Selected visitors' })
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  await press(page, 'Previous page')
  await expect(page.getByText(/^1–100 of 20\d$/)).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await selection.getByRole('button', { name: 'Copy links' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(async () => new Set((await copied()).split('\n')).size).toBe(200)
  await selection.getByRole('button', { name: 'Select none' }).click()
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /spreadsheet/ }).click()
  expect(readFileSync(await (await downloading).path(), 'utf8')).toContain("guest-8,Guest 8,'=1+1,,false")
})

test('while another page is on its way, the rows that are shown are the ones named and chosen', async ({
  page,
}, testInfo) => {
  const file = testInfo.outputPath('guests.csv')
  writeFileSync(
    file,
    `slug,name\n${Array.from({ length: 150 }, (_, at) => `guest-${at},Guest ${at}`).join('\n')}\n`,
  )
  await heyline.command('visitors', 'import', file)
  let answer = () => {}
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/visitors\/search.*offset=100/, async (route) => {
    await mayAnswer
    await route.continue()
  })
  await page.reload()
  await expect(page.getByText(/^1–100 of 15\d$/)).toBeVisible()
  await press(page, 'Next page')
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByText(/^1–100 of 15\d$/)).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  answer()
  await expect(page.getByText(/^101–15\d of 15\d$/)).toBeVisible()
  const selection = page.getByRole('region', { name: 'Selected visitors' })
  await expect(selection.getByText('100 visitors selected')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  await expect(selection.getByText(/^15\d visitors selected$/)).toBeVisible()
})
