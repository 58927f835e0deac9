import { expect, type Page } from '@playwright/test'
import { EMPTY, FAILURE, SUCCESS, WEBHOOK } from './phone-form.js'

/** A visitor that every host has. */
export const SLUG = 'riverside-dental'
/** The form's messages, each with the webhook's status that brings it; the first comes of an empty form. */
export const MESSAGES = { [EMPTY]: undefined, [FAILURE]: 500, [SUCCESS]: 202 }

export const callMe = (page: Page) => page.getByRole('button', { name: 'Call Me' })
export const callNow = (page: Page) => page.getByRole('button', { name: 'Call Now' })
/** The button of the browser call, between calls and in one. */
export const start = (page: Page) => page.getByRole('button', { name: 'Test in Browser', exact: true })
export const stop = (page: Page) => page.getByRole('button', { name: 'Stop Call', exact: true })
/** The same button, whatever it says. */
export const browserCall = (page: Page) => page.locator('[data-phase].button')

/** Opens a page without motion, its visitor found or not. */
export async function open(page: Page, url: string, path = SLUG) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${url}/${path}`)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Loading...')
}

/** With a status, the webhook's answer; without one the form is sent empty. */
export async function submitAnswered(page: Page, status: number | undefined) {
  if (status !== undefined) await page.keyboard.type('4155552671')
  await page.route(WEBHOOK, (route) => route.fulfill({ status, body: '{}' }))
  await page.keyboard.press('Enter')
}
