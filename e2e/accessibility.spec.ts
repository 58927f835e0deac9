import { expect } from '@playwright/test'
import { browserCall, callMe, callNow, open } from './demo-page.js'
import { test } from './fixtures.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { EMPTY, field, openForm } from './phone-form.js'

onEveryHost('for everybody', (host) => {
  test('landmarks, one heading, and a title', async ({ page }) => {
    await open(page, host.url)
    await expect(page.getByRole('main')).toHaveCount(1)
    await expect(page.getByRole('contentinfo').getByRole('link')).toHaveText('Website')
    await expect(page.getByRole('heading')).toHaveCount(1)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(
      'Hey Riverside Dental,',
    )
    await expect(page).toHaveTitle('Demo for Riverside Dental')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })

  test('what is announced is said by regions that were there, and empty, from the start', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const seen: { regions?: Element[]; texts?: (string | null)[] } = {}
      Object.assign(window, { seen })
      // The footer closes the main screen, whether it is parsed or rendered.
      const observer = new MutationObserver(() => {
        if (!document.querySelector('footer')) return
        seen.regions = [...document.querySelectorAll('[role=status]')]
        seen.texts = seen.regions.map(({ textContent }) => textContent)
        observer.disconnect()
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    await open(page, host.url)
    const seen = await page.evaluateHandle(
      () => (window as Window & { seen?: { regions?: Element[]; texts?: (string | null)[] } }).seen ?? {},
    )
    expect(await seen.evaluate(({ texts }) => texts)).toEqual(['', ''])
    await page.route('**/call/web', () => {})
    await browserCall(page).click()
    await callMe(page).click()
    await callNow(page).click()
    await expect(page.getByText(EMPTY)).toBeVisible()
    expect(await seen.evaluate(({ regions }) => regions?.map((region) => region.textContent))).toEqual([
      'Connecting',
      EMPTY,
    ])
    await expect(field(page)).toHaveAccessibleDescription(EMPTY)
  })
})

onServer('for everybody', (host) => {
  test('a message that stays the same is announced at every submit', async ({ page }) => {
    await openForm(page, host)
    const said = await page.evaluateHandle(() => {
      const texts: (string | null)[] = []
      const region = document.getElementById('call-me-message')
      if (!region) throw new Error('There is no region for the message.')
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) texts.push(node.textContent)
      }).observe(region, { childList: true })
      return texts
    })
    for (const times of [1, 2, 3]) {
      await page.keyboard.press('Enter')
      await expect.poll(() => said.jsonValue()).toEqual(Array(times).fill(EMPTY))
    }
  })

  test('nothing moves, and nothing waits, for those who asked for less motion', async ({ page }) => {
    await open(page, host.url)
    const moving = () => page.evaluate(() => document.getAnimations().length)
    expect(await moving()).toBe(0)
    await page.route('**/call/web', () => {})
    await browserCall(page).click()
    await expect(browserCall(page)).toHaveText('Connecting...')
    await expect.poll(moving).toBe(0)
  })
})
