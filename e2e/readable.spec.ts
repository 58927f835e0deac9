import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { EMPTY, submit } from './phone-form.js'
import type { RunningHeyline } from './running-heyline.js'
import { SCRIPTS_OFF, shownText } from './shown-text.js'
import { storeVisitors } from './visitors.js'

const CONTROLS = ['Call Me', 'Test in Browser', 'Call Now']

/** Names that run left to right. */
const NAMES = {
  'one-letter': 'J',
  'many-words': 'The Lighthouse and Harbour Dental Practice of Partners, '
    .repeat(4)
    .slice(0, 199)
    .padEnd(200, '.'),
  'one-long-word': 'W'.repeat(200),
  emoji: '🦷 Smile 👩‍⚕️',
  chinese: '东京牙科诊所'.repeat(6),
}

/** Names of a right-to-left script, alone and among others. */
const RIGHT_TO_LEFT_NAMES = {
  arabic: 'عيادة الابتسامة',
  hebrew: 'מרפאת שיניים',
  mixed: 'مطعم Blue 24',
}

const addVisitors = (heyline: RunningHeyline, names: Record<string, string>) =>
  storeVisitors(
    heyline,
    Object.entries(names).map(([slug, name]) => ({ slug, name })),
  )

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function open(page: Page, url: string, slug = 'riverside-dental') {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${url}/${slug}`)
  await expect(heading(page)).not.toHaveText('Loading...')
}

async function openFormWithMessage(page: Page) {
  await page.getByRole('button', { name: 'Call Me' }).click()
  await submit(page)
  await expect(page.getByText(EMPTY)).toBeVisible()
}

/** Texts that stick out of the window's width or out of their own box. */
const cutOff = (page: Page) =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll('h1, p, a, button, input, label')]
    const cut = shown.filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return left < 0 || right > innerWidth || element.scrollWidth > element.clientWidth + 1
    })
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) cut.push(document.documentElement)
    return cut.map((element) => element.outerHTML.slice(0, 120))
  })

onServer('readable', (host) => {
  test.beforeAll(() => addVisitors(host.heyline, NAMES))

  for (const [slug, name] of Object.entries(NAMES))
    test(`the name ${slug} fits a small phone, and every button is within reach`, async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 568 })
      await open(page, host.url, slug)
      await expect(heading(page)).toHaveText(`Hey ${name},`)
      expect(await heading(page).innerHTML()).toBe(`Hey ${name},`)
      await openFormWithMessage(page)
      expect(await cutOff(page)).toEqual([])
      for (const control of CONTROLS) await page.getByRole('button', { name: control }).click({ trial: true })
    })

  test('at 400 % zoom, which is a width of 320 px, nothing is cut off', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 256 })
    await open(page, host.url)
    await openFormWithMessage(page)
    expect(await cutOff(page)).toEqual([])
  })

  test('at 200 % zoom nothing is cut off', async ({ browser }) => {
    const zoomed = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }
    const page = await browser.newPage(zoomed)
    await open(page, host.url)
    await openFormWithMessage(page)
    expect(await cutOff(page)).toEqual([])
    await page.close()
  })

  test('wider spaces in the text cut nothing off (WCAG 1.4.12)', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await open(page, host.url)
    await openFormWithMessage(page)
    await page.evaluate(() => {
      const spacing = new CSSStyleSheet()
      spacing.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
        word-spacing: 0.16em !important } p { margin-bottom: 2em !important }`)
      document.adoptedStyleSheets.push(spacing)
    })
    expect(await cutOff(page)).toEqual([])
    const tall = await page.evaluate(
      () =>
        [...document.querySelectorAll('button')].filter((one) => one.scrollHeight > one.clientHeight + 1)
          .length,
    )
    expect(tall).toBe(0)
  })

  test('forced colours leave the mark, the borders and the focus to see', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await open(page, host.url)
    await openFormWithMessage(page)
    const style = (selector: string, property: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
    const ground = await style('body', 'background-color')
    expect(await style('.mark i', 'background-color')).not.toBe(ground)
    for (const selector of ['.button', '[data-phase].button', '[type=submit]', '.PhoneInput']) {
      expect(await style(selector, 'border-top-style')).toBe('solid')
      expect(await style(selector, 'border-top-color')).not.toBe(ground)
    }
    expect(await style('.PhoneInput', 'outline-color')).not.toBe(ground)
    await page.keyboard.press('Tab')
    expect(await style('[type=submit]', 'outline-style')).toBe('solid')
    expect(await style('[type=submit]', 'outline-color')).not.toBe(ground)
  })
})

onEveryHost('readable', (host) => {
  test.beforeAll(() => addVisitors(host.heyline, RIGHT_TO_LEFT_NAMES))

  test('the comma stays behind a name that runs right to left', async ({ page }) => {
    for (const [slug, name] of Object.entries(RIGHT_TO_LEFT_NAMES)) {
      await open(page, host.url, slug)
      await expect(heading(page)).toHaveText(`Hey ${name},`)
      await expect(page).toHaveTitle(`Demo for ${name}`)
      const { greeting, shownName, comma } = await heading(page).evaluate((element) => {
        const [before, isolated, after] = element.childNodes
        const boxOf = (node?: Node) => {
          if (!node) throw new Error('The heading has fewer parts than three.')
          const range = document.createRange()
          range.selectNodeContents(node)
          return range.getBoundingClientRect()
        }
        return { greeting: boxOf(before), shownName: boxOf(isolated), comma: boxOf(after) }
      })
      expect(comma.y, name).toBeCloseTo(greeting.y, 0)
      expect(shownName.left, name).toBeGreaterThanOrEqual(greeting.right - 1)
      expect(comma.left, name).toBeGreaterThanOrEqual(shownName.right - 1)
    }
  })

  test('without scripts the words stay, and one line stands for what needs them', async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, reducedMotion: 'reduce' })
    const page = await context.newPage()
    // Past 200 ms the server sends the loading state too, which a busy machine may need; a plain host knows no visitor.
    await expect(async () => {
      await page.goto(`${host.url}/riverside-dental`)
      if (host.kind === 'server') await expect(heading(page)).not.toHaveText('Loading...', { timeout: 500 })
    }).toPass()
    expect(await shownText(page)).toContain(SCRIPTS_OFF)
    await expect(page.getByRole('button')).toHaveCount(0)
    if (host.kind === 'server') {
      await expect(heading(page)).toHaveText('Hey Riverside Dental,')
      await expect(page.getByText('This is a tool that answers customer calls')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Website' })).toBeVisible()
    } else await expect(page.getByText('Loading...')).toBeHidden()
    await context.close()
  })
})
