import { expect } from '@playwright/test'
import { test } from './fixtures.js'
import { onServer } from './page-hosts.js'
import { EMPTY, expectNumber, field, openForm, selector, submit, type } from './phone-form.js'

onServer('the phone input', (host) => {
  test.describe('the country selector', () => {
    test('takes typed letters and arrow keys, and keeps the focus', async ({ page }) => {
      await openForm(page, host)
      await selector(page).focus()
      await page.keyboard.type('germ', { delay: 30 })
      await expectNumber(page, 'DE', '+49')
      await expect(selector(page)).toBeFocused()
      await expect(selector(page).locator('option:checked')).toHaveText('Germany')
      await page.keyboard.press('ArrowDown')
      await expect(selector(page)).toHaveValue('GH')
      await expect(selector(page)).toBeFocused()
    })

    test('can be walked through with a number in the field', async ({ page }) => {
      await openForm(page, host)
      await type(page, '7400123456')
      await selector(page).focus()
      const options = await selector(page)
        .locator('option')
        .evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value))
      for (const country of options.slice(1, 60)) {
        await page.keyboard.press('ArrowDown')
        await expect(selector(page)).toHaveValue(country)
      }
    })

    test('never stands empty while a number changes', async ({ page }) => {
      await openForm(page, host)
      await type(page, '8765550123')
      await expect(selector(page)).toHaveValue('JM')
      await page.keyboard.press('ControlOrMeta+A')
      for (const key of '2045') {
        await page.keyboard.type(key)
        await expect(selector(page)).not.toHaveValue('')
      }
      await field(page).fill('+447400123456')
      await expect(selector(page)).not.toHaveValue('')
      for (let i = 0; i < 9; i += 1) {
        await page.keyboard.press('Backspace')
        await expect(selector(page)).not.toHaveValue('')
        await expect(field(page)).toHaveValue(/^\+44/)
      }
    })

    test('shows flags of our own, which say nothing, and asks nobody else', async ({ page }) => {
      const foreign: string[] = []
      const flags: string[] = []
      page.on('request', (request) => {
        const url = new URL(request.url())
        if (url.pathname.includes('/flags/')) flags.push(url.origin + url.pathname.replace(/.*\//, '/'))
        if (![host.url, host.heyline.url].some((own) => url.origin === new URL(own).origin))
          foreign.push(url.href)
      })
      await openForm(page, host)
      for (const country of ['DE', 'JM', 'XK', 'AC', 'US']) {
        await selector(page).selectOption(country)
        const flag = page.locator('img')
        await expect(flag).toHaveJSProperty('complete', true)
        await expect
          .poll(() => flag.evaluate((image: HTMLImageElement) => image.naturalWidth))
          .toBeGreaterThan(0)
      }
      expect(new Set(flags)).toEqual(
        new Set(['US', 'DE', 'JM', 'XK', 'AC'].map((code) => `${new URL(host.url).origin}/${code}.svg`)),
      )
      expect(foreign).toEqual([])
      await expect(page.getByRole('img', { includeHidden: false }).and(page.locator('form img'))).toHaveCount(
        0,
      )
    })

    test('and the field say what they are', async ({ page }) => {
      await openForm(page, host)
      await expect(field(page)).toHaveAttribute('type', 'tel')
      await expect(field(page)).toHaveAttribute('autocomplete', 'tel')
      await expect(field(page)).toHaveAttribute('aria-invalid', 'false')
      await expect(field(page)).toHaveAccessibleDescription('')
      await submit(page)
      await expect(field(page)).toHaveAccessibleDescription(EMPTY)
      await expect(selector(page)).toHaveAccessibleName('Country')
    })
  })
})
