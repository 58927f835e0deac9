import { expect } from '@playwright/test'
import { test } from './fixtures.js'
import { onServer } from './page-hosts.js'
import {
  EMPTY,
  expectNumber,
  FAILURE,
  field,
  openForm,
  SUCCESS,
  selector,
  submit,
  takeCalls,
  type,
  WEBHOOK,
} from './phone-form.js'

onServer('the phone field', (host) => {
  test.describe('the calling code', () => {
    test('cannot be edited, deleted, cut or typed over', async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await openForm(page, host)
      await expectNumber(page, 'US', '+1')
      for (const keys of [
        ['End', 'Backspace', 'Backspace', 'Backspace'],
        ['Home', 'Delete'],
        ['ControlOrMeta+A', 'Delete'],
        ['ControlOrMeta+A', 'ControlOrMeta+X'],
      ]) {
        for (const key of keys) await page.keyboard.press(key)
        await expectNumber(page, 'US', '+1')
      }
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('2025550123')
      await expectNumber(page, 'US', '+1 202 555 0123')
      for (const keys of [
        ['Home', 'Delete'],
        ['Home', 'ArrowRight', 'Delete'],
        ['Home', 'ArrowRight', 'Backspace', 'Backspace'],
        ['Home', 'ArrowRight', 'ArrowRight', 'Backspace'],
        ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Backspace', 'Backspace'],
        ['Home', 'Shift+ArrowRight', 'Delete'],
        ['Home', 'Shift+ArrowRight', 'Shift+ArrowRight', 'ControlOrMeta+X'],
      ]) {
        for (const key of keys) await page.keyboard.press(key)
        await expectNumber(page, 'US', '+1 202 555 0123')
      }
      await page.keyboard.press('Home')
      await page.keyboard.press('Shift+ArrowRight')
      await page.keyboard.type('3')
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.type('4')
      await expect(field(page)).toHaveValue(/^\+1/)
      expect((await field(page).inputValue()).replace(/\D/g, '')).toBe('1432025550123')
    })

    test('without a number, or with a single digit, is no number', async ({ page }) => {
      const phones = await takeCalls(page)
      await openForm(page, host)
      await submit(page)
      await expect(page.getByText(EMPTY)).toBeVisible()
      await expect(field(page)).toBeFocused()
      await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
      for (const country of ['DE', 'GB', 'IT']) {
        await selector(page).selectOption(country)
        await submit(page)
        await expect(page.getByText(EMPTY)).toBeVisible()
      }
      await type(page, '7')
      await submit(page)
      await expect(page.getByText(EMPTY)).toBeVisible()
      expect(phones).toEqual([])
      await type(page, '8')
      await submit(page)
      await expect(page.getByText(SUCCESS)).toBeVisible()
      expect(phones).toEqual(['+3978'])
    })
  })

  test.describe('the national number', () => {
    test('has 2 to 17 digits, in every country', async ({ page }) => {
      const phones = await takeCalls(page)
      await openForm(page, host)
      const digits = '23456789234567892'
      for (const [country, code] of Object.entries({ US: '1', GB: '44', DE: '49', IT: '39' })) {
        await selector(page).selectOption(country)
        await type(page, digits)
        const full = await field(page).inputValue()
        expect(full.replace(/\D/g, '')).toBe(code + digits)
        await type(page, '34')
        await expect(field(page)).toHaveValue(full)
        await submit(page)
        await expect(page.getByText(SUCCESS)).toBeVisible()
        await expect(field(page)).toHaveValue(`+${code}`)
        expect(phones.splice(0)).toEqual([`+${code}${digits}`])
      }
    })

    test('may be typed with its trunk digit', async ({ page }) => {
      const phones = await takeCalls(page)
      await openForm(page, host)
      await selector(page).selectOption('GB')
      await type(page, '07400 123456')
      await submit(page)
      await expect(page.getByText(SUCCESS)).toBeVisible()
      await selector(page).selectOption('US')
      await type(page, '1 202 555 0123')
      await submit(page)
      await expect.poll(() => phones).toEqual(['+447400123456', '+12025550123'])
    })

    test('moves to the country chosen after it', async ({ page }) => {
      await openForm(page, host)
      await type(page, '07400123456')
      await selector(page).selectOption('GB')
      await expectNumber(page, 'GB', '+44 7400 123456')
      await selector(page).selectOption('DE')
      await expect(selector(page)).toHaveValue('DE')
      expect((await field(page).inputValue()).replace(/\D/g, '')).toBe('497400123456')
      // A country that shares its calling code, and to which these digits do not belong.
      await selector(page).selectOption('KZ')
      await expect(selector(page)).toHaveValue('KZ')
      await selector(page).selectOption('GB')
      await expectNumber(page, 'GB', '+44 7400 123456')
    })

    test('stays where it is when it is changed in the middle', async ({ page }) => {
      await openForm(page, host)
      await type(page, '2025550123')
      for (let i = 0; i < 4; i += 1) await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Backspace')
      await page.keyboard.type('9')
      await expectNumber(page, 'US', '+1 202 559 0123')
    })

    test('is kept on failure, and cleared on success without its country', async ({ page }) => {
      const failed = await takeCalls(page, 500)
      await openForm(page, host)
      await selector(page).selectOption('DE')
      await type(page, '30901820')
      await page.keyboard.press('Enter')
      await expect(page.getByText(FAILURE)).toBeVisible()
      await expectNumber(page, 'DE', '+49 30 901820')
      expect(failed).toEqual(['+4930901820'])
      await type(page, '1')
      await expect(page.getByText(FAILURE)).toBeVisible()
      await page.unroute(WEBHOOK)
      await takeCalls(page)
      await page.keyboard.press('Enter')
      await expect(page.getByText(SUCCESS)).toBeVisible()
      await expect(page.getByText(FAILURE)).toBeHidden()
      await expectNumber(page, 'DE', '+49')
    })
  })
})
