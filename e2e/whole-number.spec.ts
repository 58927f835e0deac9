import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.js'
import { onServer } from './page-hosts.js'
import {
  EMPTY,
  expectNumber,
  field,
  openForm,
  SUCCESS,
  selector,
  submit,
  takeCalls,
  type,
} from './phone-form.js'

onServer('the phone field', (host) => {
  test.describe('a whole number pasted', () => {
    const paste = async (page: Page, text: string) => {
      await page.evaluate((words) => navigator.clipboard.writeText(words), text)
      await page.keyboard.press('ControlOrMeta+V')
    }
    test.beforeEach(async ({ context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    })

    test('is kept, and its country follows', async ({ page }) => {
      await openForm(page, host)
      for (const text of [
        '+442079460018',
        '00442079460018',
        '011 44 20 7946 0018',
        'tel:+44-20-7946-0018',
        '+44 (0)20 7946 0018',
        '0044 (0)20 7946 0018',
        '+44\u00a020\u00a07946\u00a00018',
        '\u202a+44 20 7946 0018\u202c',
        '\uff0b44 20 7946 0018',
        '+٤٤ ٢٠ ٧٩٤٦ ٠٠١٨',
        '٠٠٤٤ ٢٠ ٧٩٤٦ ٠٠١٨',
        '  +44 20 7946 0018\n',
      ]) {
        await paste(page, text)
        await expectNumber(page, 'GB', '+44 20 7946 0018')
        await paste(page, '+12025550123')
        await expectNumber(page, 'US', '+1 202 555 0123')
      }
    })

    test('replaces what is there: over a selection, in the middle, before it, twice', async ({ page }) => {
      await openForm(page, host)
      await type(page, '202555')
      await page.keyboard.press('ControlOrMeta+A')
      await paste(page, '+442079460018')
      await expectNumber(page, 'GB', '+44 20 7946 0018')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowLeft')
      await paste(page, '+4930901820')
      await expectNumber(page, 'DE', '+49 30 901820')
      await page.keyboard.press('Home')
      await paste(page, '+12025550123')
      await expectNumber(page, 'US', '+1 202 555 0123')
      await paste(page, '+12025550123')
      await expectNumber(page, 'US', '+1 202 555 0123')
    })

    test('with more digits than a number has is shown, and is none', async ({ page }) => {
      const phones = await takeCalls(page)
      await openForm(page, host)
      await paste(page, '+44 2079 4600 1820 7946 0018')
      await expectNumber(page, 'US', '+1 +44 2079 4600 1820 7946 0018')
      await page.keyboard.press('Enter')
      await expect(page.getByText(EMPTY)).toBeVisible()
      expect(phones).toEqual([])
    })

    test('and a national one under its country are the same number', async ({ page }) => {
      const phones = await takeCalls(page)
      await openForm(page, host)
      await paste(page, '(202) 555-0123')
      await submit(page)
      await expect(page.getByText(SUCCESS)).toBeVisible()
      await selector(page).selectOption('GB')
      await field(page).focus()
      await page.keyboard.press('End')
      await paste(page, '07400 123456')
      await page.keyboard.press('Enter')
      await expect.poll(() => phones).toEqual(['+12025550123', '+447400123456'])
    })
  })

  test.describe('a whole number that is filled in', () => {
    for (const inputType of [undefined, 'insertReplacementText', 'insertText'])
      test(`at once (${inputType ?? 'a plain event'}) is kept, and its country follows`, async ({ page }) => {
        await openForm(page, host)
        const fill = (text: string) =>
          field(page).evaluate(
            (element, { text, inputType }) => {
              const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
              setValue?.call(element, text)
              const bubbles = { bubbles: true }
              element.dispatchEvent(
                inputType
                  ? new InputEvent('input', { ...bubbles, inputType, data: text })
                  : new Event('input', bubbles),
              )
            },
            { text, inputType },
          )
        await fill('+442079460018')
        await expectNumber(page, 'GB', '+44 20 7946 0018')
        await fill('2079460019')
        await expectNumber(page, 'GB', '+44 20 7946 0019')
        await fill('+44 (0)20 7946 0018')
        await expectNumber(page, 'GB', '+44 20 7946 0018')
        await fill('+12025550123')
        await expectNumber(page, 'US', '+1 202 555 0123')
      })

    test('is kept when it is dragged into the field', async ({ page }) => {
      await openForm(page, host)
      await page.evaluate(() => {
        const text = document.createElement('p')
        text.textContent = '+442079460018'
        text.style.cssText = 'position: fixed; top: 0; left: 0; margin: 0'
        document.body.append(text)
        getSelection()?.selectAllChildren(text)
      })
      await page.getByText('+442079460018').dragTo(field(page))
      await expectNumber(page, 'GB', '+44 20 7946 0018')
    })

    test('is kept when an input method composes it', async ({ page }) => {
      await openForm(page, host)
      const client = await page.context().newCDPSession(page)
      for (const text of ['+', '+4', '+44'])
        await client.send('Input.imeSetComposition', {
          text,
          selectionStart: text.length,
          selectionEnd: text.length,
        })
      await client.send('Input.insertText', { text: '+44' })
      await expectNumber(page, 'GB', '+44')
      await client.send('Input.imeSetComposition', { text: '2', selectionStart: 1, selectionEnd: 1 })
      await client.send('Input.insertText', { text: '2079460018' })
      await expectNumber(page, 'GB', '+44 20 7946 0018')
    })
  })

  test.describe('a whole number that is typed', () => {
    test('behind + brings its country as soon as the calling code is there', async ({ page }) => {
      const phones = await takeCalls(page)
      await openForm(page, host)
      expect(await type(page, '+442')).toEqual(['+1 +', '+1 +4', '+44', '+44 2'])
      await type(page, '079460018')
      await expectNumber(page, 'GB', '+44 20 7946 0018')
      await submit(page)
      await expect(page.getByText(SUCCESS)).toBeVisible()
      expect(phones).toEqual(['+442079460018'])
      expect(await type(page, '+3581')).toEqual(['+44 +', '+44 +3', '+44 +35', '+358', '+358 1'])
      await expect(selector(page)).toHaveValue('FI')
    })

    test('shows every key, and knows what each country dials before it', async ({ page }) => {
      await openForm(page, host)
      const toggle = page.getByRole('button', { name: 'Call Me' })
      for (const [country, keys, shown, end] of [
        ['US', '0044', ['+1 0', '+1 00', '+1 004', '+44'], 'GB'],
        ['US', '01144', ['+1 0', '+1 01', '+1 011', '+1 0114', '+44'], 'GB'],
        ['AU', '001144', ['+61 0', '+61 00', '+61 001', '+61 0011', '+61 00114', '+44'], 'GB'],
        ['IT', '0044', ['+39 0', '+39 00', '+39 004', '+44'], 'GB'],
        ['GB', '001', ['+44 0', '+44 00', '+1'], 'US'],
        ['CA', '+1', ['+1 +', '+1'], 'CA'],
        ['JE', '+44', ['+44 +', '+44 +4', '+44'], 'JE'],
        ['US', '+999', ['+1 +', '+1 +9', '+1 +99', '+1 +999'], 'US'],
      ] as const) {
        await selector(page).selectOption(country)
        expect(await type(page, keys)).toEqual(shown)
        await expect(selector(page)).toHaveValue(end)
        await toggle.click()
        await toggle.click()
        await expectNumber(page, 'US', '+1')
      }
    })

    test('is taken back with Backspace, a key at a time', async ({ page }) => {
      await openForm(page, host)
      await type(page, '+35')
      const shown: string[] = []
      for (let i = 0; i < 4; i += 1) {
        await page.keyboard.press('Backspace')
        shown.push(await field(page).inputValue())
      }
      expect(shown.map((text) => text.trim())).toEqual(['+1 +3', '+1 +', '+1', '+1'])
      await type(page, '2025550123')
      await expectNumber(page, 'US', '+1 202 555 0123')
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('+')
      await expect(field(page)).toHaveValue('+1 +')
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.press('Delete')
      await expectNumber(page, 'US', '+1')
    })

    test('is no number while its calling code is not complete, and stays in the field', async ({ page }) => {
      const phones = await takeCalls(page)
      await openForm(page, host)
      await type(page, '0113')
      await page.keyboard.press('Enter')
      await expect(page.getByText(EMPTY)).toBeVisible()
      await expect(field(page)).toHaveValue('+1 0113')
      expect(phones).toEqual([])
      await selector(page).selectOption('GB')
      await expectNumber(page, 'GB', '+44')
    })

    test('is not begun by a + behind digits; Italian numbers keep their 0', async ({ page }) => {
      const phones = await takeCalls(page)
      await openForm(page, host)
      await type(page, '202+5550123')
      await expectNumber(page, 'US', '+1 202 555 0123')
      await selector(page).selectOption('IT')
      await field(page).focus()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('0669812345')
      await page.keyboard.press('Enter')
      await expect.poll(() => phones).toEqual(['+390669812345'])
    })
  })
})
