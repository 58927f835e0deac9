import { expect, type Page } from '@playwright/test'
import { Authenticator } from './authenticator.js'
import type { RunningHeyline } from './running-heyline.js'

export const OWNER = { email: 'ada@example.com', password: 'a long and quiet river' }

/** The link that the server printed at its start. */
export async function setupLink(heyline: RunningHeyline): Promise<string> {
  const link = () => /\S+#setup=\S+/.exec(heyline.output)?.[0] ?? ''
  await expect.poll(link).not.toBe('')
  return link()
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Opens a link into the console, as a new tab does: a page that is there already would keep its session. */
export async function openLink(page: Page, link: string) {
  await page.goto('about:blank')
  await page.goto(link)
}

/** From the first screen after the sign-in to the operator's own account. */
export async function openAccount(page: Page) {
  await expect(heading(page, 'Visitors')).toBeFocused()
  await press(page, 'Your menu')
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  await expect(heading(page, 'Your account')).toBeFocused()
}

/** Fills the form for e-mail address and password, and sends it. */
export async function sendAccount(page: Page, { email, password }: typeof OWNER, button: string) {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel(/^(New p|P)assword$/).fill(password)
  await press(page, button)
}

export async function sendCode(page: Page, code: string, button = 'Confirm') {
  await page.getByLabel(/^(Six-digit|Recovery) code$/).fill(code)
  await press(page, button)
}

/** From *Set up a second factor* to the recovery codes, with an authenticator app. */
export async function addApp(page: Page): Promise<Authenticator> {
  await expect(heading(page, 'Set up a second factor')).toBeVisible()
  await press(page, 'Continue')
  const authenticator = await shownSecret(page)
  await sendCode(page, await authenticator.code(), 'Turn it on')
  return authenticator
}

/** The app that typed in the secret which the page shows. */
export async function shownSecret(page: Page): Promise<Authenticator> {
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  return new Authenticator((await page.getByRole('definition').textContent()) ?? '')
}

/** The ten codes that are shown. */
export async function shownCodes(page: Page): Promise<string[]> {
  await expect(heading(page, 'Recovery codes')).toBeVisible()
  return page.getByRole('listitem').allTextContents()
}

/** Makes the first owner on a new server, up to the first screen. */
export async function openAsOwner(page: Page, heyline: RunningHeyline) {
  await openLink(page, await setupLink(heyline))
  await sendAccount(page, OWNER, 'Create the owner')
  await expect(heading(page, 'Visitors')).toBeFocused()
}
