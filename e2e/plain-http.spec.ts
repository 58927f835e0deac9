import { expect, type Page } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { CHROMIUM_FLAGS } from './chromium-flags.js'
import { callMe, open, start } from './demo-page.js'
import { test } from './fixtures.js'
import { freePort } from './free-port.js'
import { RunningHeyline } from './running-heyline.js'
import { shownText } from './shown-text.js'

/** A name that no browser takes for this machine, so that its pages are insecure over http. */
const NAME = 'heyline.test'
const REASON =
  'This page has no microphone, because its address begins with http. Browsers give a microphone to https pages only. To talk in the browser, open the page at its https address.'

test.describe('a page over plain http', () => {
  test.use({ ownBrowser: { args: [...CHROMIUM_FLAGS, `--host-resolver-rules=MAP ${NAME} 127.0.0.1`] } })
  let heyline: RunningHeyline
  let port: number
  test.beforeAll(async () => {
    port = await freePort()
    heyline = await RunningHeyline.start({ PORT: String(port), PUBLIC_URL: `http://${NAME}:${port}` })
  })
  test.afterAll(() => heyline.stop())

  /** What is to be seen, and what a screen reader goes through. */
  async function seen(page: Page) {
    return {
      text: await shownText(page),
      tree: await page.locator('body').ariaSnapshot(),
      picture: (await page.screenshot()).toString('base64'),
    }
  }

  test('says why there is no microphone, in the console and to screen readers, and looks as ever', async ({
    page,
  }) => {
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await open(page, `http://localhost:${port}`)
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(() => isSecureContext)).toBe(true)
    await expect(start(page)).toHaveAccessibleDescription('')
    const secure = await seen(page)
    expect(warnings).toEqual([])

    await open(page, heyline.url)
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await expect(start(page)).toHaveAccessibleDescription(REASON)
    expect(await seen(page)).toEqual(secure)
    expect(warnings).toEqual([
      expect.stringMatching(/^This page has no microphone.*\nIf this server is yours: /),
    ])
    await expectNoFindings(page, 'over plain http')
  })

  test('says so as well after a call that could not begin, and shows no message', async ({ page }) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await open(page, heyline.url)
    await expect(start(page)).toHaveAccessibleDescription(REASON)
    await start(page).click()
    await expect(page.getByText('Call could not be started')).toBeAttached()
    await expect(start(page)).toHaveAccessibleDescription(REASON)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await callMe(page).click()
    await expect(page.getByRole('button', { name: 'Call Now' })).toBeVisible()
    expect(warnings.at(-1)).toMatch(/^The browser call failed\. .*A microphone needs a page of https/)
    expect(errors).toEqual([])
  })
})
