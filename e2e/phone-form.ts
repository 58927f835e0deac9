import { expect, type Page } from '@playwright/test'
import type { PageHost } from './page-hosts.js'

/** What the form says (spec 5, 8). */
export const EMPTY = 'Please enter a valid phone number'
export const SUCCESS = "Great! You'll receive a call within the next 15 seconds."
export const FAILURE = 'Failed to initiate call. Please try again.'

/** Where the form posts, on every host of the page. */
export const WEBHOOK = '**/functions/v1/call-me'

export const field = (page: Page) => page.getByRole('textbox', { name: 'Phone number' })
export const selector = (page: Page) => page.getByRole('combobox', { name: 'Country' })
export const submit = (page: Page) => page.getByRole('button', { name: 'Call Now' }).click()

export async function openForm(page: Page, host: PageHost) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${host.url}/default`)
  await page.getByRole('button', { name: 'Call Me' }).click()
  await expect(field(page)).toBeFocused()
}

/** Has that visitor's page call a number of the United States. */
export async function askForCall(page: Page, url: string, national: string) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${url}/riverside-dental`)
  await page.getByRole('button', { name: 'Call Me' }).click()
  await type(page, national)
  await submit(page)
  await expect(page.getByText(SUCCESS)).toBeVisible()
}

/** Types at the end of the field, a key at a time; answers with what the field showed after each. */
export async function type(page: Page, keys: string): Promise<string[]> {
  await field(page).focus()
  await page.keyboard.press('End')
  const shown: string[] = []
  for (const key of keys) {
    await page.keyboard.type(key)
    shown.push(await field(page).inputValue())
  }
  return shown
}

/** Takes the calls that the page asks for, and answers each with `status`. */
export async function takeCalls(page: Page, status = 202) {
  const phones: string[] = []
  await page.route(WEBHOOK, (route) => {
    phones.push(route.request().postDataJSON().phone)
    return route.fulfill({ status, body: '{}' })
  })
  return phones
}

export async function expectNumber(page: Page, country: string, shown: string) {
  await expect(selector(page)).toHaveValue(country)
  await expect(field(page)).toHaveValue(shown)
}
