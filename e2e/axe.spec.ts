import { expect, type Route } from '@playwright/test'
import { expectNoFindings, findings } from './axe.js'
import { expectBigTargets } from './big-targets.js'
import { browserCall, MESSAGES, open, submitAnswered } from './demo-page.js'
import { test } from './fixtures.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { field, openForm, WEBHOOK } from './phone-form.js'

onEveryHost('axe', (host) => {
  test('axe finds nothing on the main and the not-found screen, nor in the middle of the fades', async ({
    page,
  }) => {
    await open(page, host.url, 'nobody-of-this-name')
    await expectNoFindings(page, 'not found')
    await open(page, host.url)
    await expectNoFindings(page, 'main')
    await page.emulateMedia({ reducedMotion: 'no-preference', colorScheme: 'light' })
    for (const time of [2_500, 3_500]) {
      const fading = await page.evaluate((time) => {
        const fades = document
          .getAnimations()
          .filter((one) => 'animationName' in one && one.animationName === 'fade')
        for (const fade of fades) {
          fade.pause()
          fade.currentTime = time
        }
        return fades.length
      }, time)
      expect(fading).toBe(4)
      expect(await findings(page), `fading, ${time} ms`).toEqual([])
    }
  })
})

onServer('axe', (host) => {
  test('axe finds nothing in the form: open, busy, with each message', async ({ page }) => {
    await openForm(page, host)
    await expectNoFindings(page, 'form')
    for (const [message, status] of Object.entries(MESSAGES)) {
      await submitAnswered(page, status)
      await expect(page.getByText(message)).toBeVisible()
      await expectNoFindings(page, message)
    }
    await page.route(WEBHOOK, () => {})
    await field(page).fill('+14155552671')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Initiating Call...')).toBeVisible()
    await expectNoFindings(page, 'busy')
  })

  test('axe finds nothing while a browser call connects and runs, its transcript open', async ({ page }) => {
    await open(page, host.url)
    const held = new Promise<Route>((resolve) => void page.route('**/call/web', resolve))
    await browserCall(page).click()
    await expect(browserCall(page)).toHaveText('Connecting...')
    await expectNoFindings(page, 'connecting')
    await (await held).continue()
    await expect(browserCall(page)).toHaveText('Stop Call')
    await page.getByRole('button', { name: 'Mute' }).click()
    await expectNoFindings(page, 'in call')
    await page.getByRole('button', { name: 'Transcript' }).click()
    await expectNoFindings(page, 'in call, transcript open')
    await expectBigTargets(page)
    await browserCall(page).click()
  })
})
