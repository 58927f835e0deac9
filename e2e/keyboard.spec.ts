import { expect, type Locator } from '@playwright/test'
import { expectBigTargets } from './big-targets.js'
import { browserCall, callMe, callNow, open, SLUG } from './demo-page.js'
import { test } from './fixtures.js'
import { focused, stops } from './keyboard-focus.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { field, WEBHOOK } from './phone-form.js'

async function expectBusy(button: Locator) {
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toBeFocused()
  await expect(button).not.toHaveAttribute('disabled')
}

onServer('the keyboard', (host) => {
  test('Tab stops at every control in the order of reading, with a ring', { tag: '@main' }, async ({
    page,
  }) => {
    await open(page, host.url)
    expect(await stops(page)).toEqual(['Call Me', 'Test in Browser', 'Website'])
    await callMe(page).click()
    await expect(field(page)).toBeFocused()
    expect(await stops(page)).toEqual([
      'Call Me',
      'Test in Browser',
      'Country',
      'Phone number',
      'Call Now',
      'Website',
    ])
    await expectBigTargets(page)
  })

  test('the focus goes into the form and back, and stays on a button that is busy', async ({ page }) => {
    await open(page, host.url)
    await expect(callMe(page)).toHaveAttribute('aria-expanded', 'false')
    await callMe(page).focus()
    await page.keyboard.press('Enter')
    await expect(field(page)).toBeFocused()
    await expect(callMe(page)).toHaveAttribute('aria-expanded', 'true')
    const controlled = page.locator(`#${await callMe(page).getAttribute('aria-controls')}`)
    await expect(controlled.getByRole('form')).toBeVisible()
    await page.route(WEBHOOK, () => {})
    await page.keyboard.type('4155552671')
    await callNow(page).focus()
    await page.keyboard.press('Enter')
    await expectBusy(page.getByRole('button', { name: 'Initiating Call...' }))
    await callMe(page).focus()
    await page.keyboard.press('Enter')
    await expect(field(page)).toBeHidden()
    await expect(callMe(page)).toBeFocused()

    await page.route('**/call/web', () => {})
    await browserCall(page).focus()
    await page.keyboard.press('Enter')
    await expectBusy(page.getByRole('button', { name: 'Connecting...' }))
  })
})

onEveryHost('the keyboard', (host) => {
  test('who moves the focus during the fades sees where it is, and leaving starts no fade again', async ({
    page,
  }) => {
    await page.goto(`${host.url}/${SLUG}`)
    await expect(callMe(page)).toBeAttached()
    const fadesNow = () =>
      page.evaluateHandle(() =>
        document.getAnimations().filter((one) => 'animationName' in one && one.animationName === 'fade'),
      )
    const fades = await fadesNow()
    const filters = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.fade-first, .fade-then')].map(
          (element) => getComputedStyle(element).filter,
        ),
      )
    const leave = () => page.evaluate(() => (document.activeElement as HTMLElement).blur())
    const [hidden, shown] = [Array(4).fill('opacity(0)'), Array(4).fill('none')]
    await fades.evaluate((all) => {
      for (const fade of all) {
        fade.pause()
        fade.currentTime = 500
      }
    })
    expect(await filters()).toEqual(hidden)
    for (const name of ['Call Me', 'Test in Browser', 'Website']) {
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe(name)
      expect(await filters()).toEqual(shown)
    }
    await leave()
    expect(await filters()).toEqual(hidden)
    await callMe(page).focus()
    await fades.evaluate((all) => {
      for (const fade of all) fade.finish()
    })
    await leave()
    expect(await filters()).toEqual(shown)
    await page.keyboard.press('Tab')
    await leave()
    expect(await filters()).toEqual(shown)
    expect(await (await fadesNow()).evaluate((running) => running.length)).toBe(0)
  })
})
