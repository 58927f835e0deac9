import { readFileSync } from 'node:fs'
import { type Browser, expect, type Page } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { expectBigTargets } from './big-targets.js'
import {
  addApp,
  heading,
  OWNER,
  openAccount,
  openLink,
  press,
  sendAccount,
  sendCode,
  setupLink,
  shownCodes,
  shownSecret,
} from './console-page.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'

const GUEST = { email: 'grace@example.com', password: 'seven small lanterns' }

/** Each test makes the first owner of a server. */
let heyline: RunningHeyline
test.beforeEach(async () => {
  heyline = await RunningHeyline.start({ OPERATORS_MFA: 'required' })
})
test.afterEach(() => heyline.stop())

/** Signs in in another browser. */
async function elsewhere(browser: Browser): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${heyline.url}/-/console`)
  return page
}

test('@main the first owner sets up, signs in with each kind of code, and ends a session', async ({
  page,
  browser,
}) => {
  const link = await setupLink(heyline)
  await openLink(page, link)
  await expect(heading(page, 'Set up')).toBeFocused()
  expect(page.url()).toBe(`${heyline.url}/-/console/`)
  await sendAccount(page, OWNER, 'Create the owner')

  const authenticator = await addApp(page)
  const codes = await shownCodes(page)
  expect(new Set(codes).size).toBe(10)
  const downloading = page.waitForEvent('download')
  await press(page, 'Download')
  expect(readFileSync(await (await downloading).path(), 'utf8')).toBe(`${codes.join('\n')}\n`)
  await press(page, 'I have saved them')
  await openAccount(page)
  await expect(page.getByRole('main').getByText(OWNER.email, { exact: true })).toBeVisible()
  await expect(page.getByText('Owner: may do everything')).toBeVisible()
  // Where the page was scrolled to, and nothing else.
  const stored = () => [
    localStorage.length,
    Object.keys(sessionStorage).filter((key) => !/scroll/.test(key)).length,
  ]
  expect(await page.evaluate(stored)).toEqual([0, 0])
  expect(await page.evaluate(() => document.cookie)).toBe('')
  await page.reload()
  await expect(heading(page, 'Your account')).toBeFocused()
  await press(page, 'Sign out')
  await expect(page.getByText('You are signed out.')).toBeVisible()

  await sendAccount(page, OWNER, 'Sign in')
  await expect(heading(page, 'Second factor')).toBeFocused()
  await sendCode(page, '000000')
  await expect(page.getByRole('alert')).toHaveText(/^This code is wrong, or it was used already/)
  await expect(page.getByLabel('Six-digit code')).toBeFocused()
  await sendCode(page, await authenticator.code())
  // Where they were when they signed out.
  await expect(heading(page, 'Your account')).toBeFocused()

  const other = await elsewhere(browser)
  await sendAccount(other, OWNER, 'Sign in')
  await press(other, 'Use a recovery code')
  await sendCode(other, codes[0] ?? '')
  await openAccount(other)
  await press(other, 'Sign out')
  await sendAccount(other, OWNER, 'Sign in')
  await press(other, 'Use a recovery code')
  await sendCode(other, codes[0] ?? '')
  await expect(other.getByRole('alert')).toHaveText(/used already/)
  await sendCode(other, codes[1]?.toUpperCase() ?? '')
  await expect(heading(other, 'Your account')).toBeFocused()
  const sessions = other.getByRole('listitem').filter({ hasText: 'Last used' })
  await expect(sessions).toHaveCount(2)
  await expect(sessions.filter({ hasText: 'This session' })).toHaveCount(1)
  await other.getByRole('button', { name: /^End the session of Chrome on / }).click()
  await expect(sessions).toHaveCount(1)
  await press(page, 'New recovery codes')
  await expect(heading(page, 'Sign in')).toBeVisible()
  await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()

  await openLink(page, link)
  await sendAccount(page, GUEST, 'Create the owner')
  await expect(page.getByRole('alert')).toHaveText(
    'There is an owner already. Sign in, or ask an owner for an invitation.',
  )
  await other.context().close()
})

test('an invitation and a reset are used up by a press, not by opening the link', async ({
  page,
  browser,
}) => {
  await openLink(page, await setupLink(heyline))
  await sendAccount(page, OWNER, 'Create the owner')
  await addApp(page)
  await shownCodes(page)

  const { out } = await heyline.command('operators', 'invite', GUEST.email, '--role', 'viewer', '--json')
  const { link } = JSON.parse(out)
  const guest = await elsewhere(browser)
  await openLink(guest, link)
  await expect(heading(guest, 'Invitation')).toBeFocused()
  await press(guest, 'Sign in')
  await expect(heading(guest, 'Sign in')).toBeFocused()
  // Where the console is open already, a link changes the address only.
  await guest.goto(link)
  await expect(heading(guest, 'Invitation')).toBeFocused()
  expect(guest.url()).toBe(`${heyline.url}/-/console/`)
  await press(guest, 'Accept the invitation')
  await expect(guest.getByLabel('E-mail address')).toHaveValue(GUEST.email)
  await guest.getByLabel('New password').fill('short')
  await press(guest, 'Save the password')
  await expect(guest.getByRole('alert')).toHaveText(/at least 10 characters/)
  await expect(guest.getByLabel('New password')).toBeFocused()
  await guest.getByLabel('New password').fill(GUEST.password)
  await press(guest, 'Save the password')
  await addApp(guest)
  await press(guest, 'I have saved them')
  await openAccount(guest)
  await expect(guest.getByText('Viewer: may look, with telephone numbers masked')).toBeVisible()

  await openLink(guest, link)
  await press(guest, 'Accept the invitation')
  await expect(guest.getByRole('alert')).toHaveText(/^This link is not good any more/)

  const reset = JSON.parse((await heyline.command('operators', 'reset', GUEST.email, '--json')).out)
  await openLink(guest, reset.link)
  await expect(heading(guest, 'Reset your password')).toBeVisible()
  await press(guest, 'Go on')
  await guest.getByLabel('New password').fill('another long password')
  await press(guest, 'Save the password')
  // Their second factor went with the old password.
  await expect(heading(guest, 'Set up a second factor')).toBeVisible()
  await guest.context().close()
})

test('a link that is opened again while the console asks something is begun anew', async ({ page }) => {
  const link = await setupLink(heyline)
  await openLink(page, link)
  await expect(heading(page, 'Set up')).toBeFocused()
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(`${heyline.url}/-/office/session`, async (route) => {
    await answered
    await route.continue()
  })
  await press(page, 'Sign in')
  await page.goto(link)
  await expect(heading(page, 'Set up')).toBeFocused()
  const late = page.waitForResponse(`${heyline.url}/-/office/session`)
  answer()
  await late
  await sendAccount(page, OWNER, 'Create the owner')
  await expect(heading(page, 'Set up a second factor')).toBeFocused()
})

test('a phone is a second factor by a text message', async ({ page, context }) => {
  test.slow()
  const phone = await context.newPage()
  await phone.goto(`${heyline.url}/-/phone`)
  const textedCode = async (earlier: string) => {
    const code = async () =>
      (await phone.getByRole('main').innerText()).match(/\b\d{6}\b/g)?.find((one) => one !== earlier)
    await expect.poll(code).toBeDefined()
    return (await code()) ?? ''
  }
  await openLink(page, await setupLink(heyline))
  await sendAccount(page, OWNER, 'Create the owner')
  await page.getByRole('radio', { name: 'Phone, by text message' }).check()
  await page.getByLabel('Telephone number').fill('0101')
  await press(page, 'Continue')
  await expect(page.getByRole('alert')).toHaveText(/^Type your number with its country code/)
  await expect(page.getByLabel('Telephone number')).toBeFocused()
  await page.getByLabel('Telephone number').fill('+1 (202) 555-0101')
  await press(page, 'Continue')
  const first = await textedCode('')
  await sendCode(page, first, 'Turn it on')
  await shownCodes(page)
  await press(page, 'I have saved them')
  await openAccount(page)

  // As if ten minutes had passed.
  const addresses = `${heyline.url}/-/office/api-keys`
  await page.route(addresses, (route) => {
    if (route.request().method() === 'GET') return route.continue()
    return route.fulfill({ status: 403, json: { code: 'step_up_needed', message: 'Confirm it is you' } })
  })
  await press(page, 'Add key')
  await page.getByLabel('Name', { exact: true }).fill('Sales sheet')
  await page.getByLabel('Role').click()
  await page.getByRole('option', { name: 'Editor' }).click()
  await press(page, 'Make the key')
  const question = page.getByRole('dialog', { name: 'Confirm it is you' })
  // A number gets a message a minute at most; the question says how long to wait.
  const code = question.getByLabel('Six-digit code')
  await expect(async () => {
    if (!(await code.isVisible())) await question.getByRole('button', { name: 'Send the code' }).click()
    await expect(code).toBeFocused({ timeout: 5_000 })
  }).toPass({ timeout: 70_000 })
  await expectNoFindings(page, 'the step-up')
  const second = await textedCode(first)
  await page.unroute(addresses)
  await sendCode(page, second)
  const made = page.getByRole('dialog', { name: 'The new key' })
  const key = (await made.getByRole('code').textContent()) ?? ''
  expect(key).toMatch(/^hlk_/)
  await expectNoFindings(page, 'the new key')
  await press(page, 'Done')
  const row = page.getByRole('listitem').filter({ hasText: 'Sales sheet' })
  await expect(row).toContainText(/Editor · Expires/)
  await expect(row).toContainText('Never used')
  const visitors = () =>
    fetch(`${heyline.url}/-/office/visitors`, { headers: { authorization: `Bearer ${key}` } })
  expect((await visitors()).status).toBe(200)
  await press(page, 'Revoke Sales sheet')
  await press(page, 'Press again: it stops at once')
  await expect(row).toBeHidden()
  expect((await visitors()).status).toBe(401)

  await press(page, 'Remove Phone')
  await expect(page.getByRole('alert')).toHaveText(/It is your last one/)
  await expect(page.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await press(page, 'Keep it')
  await expect(page.getByRole('button', { name: 'Remove Phone' })).toBeFocused()
  await press(page, 'Remove Phone')
  await press(page, 'Remove Phone')
  await expect(heading(page, 'Set up a second factor')).toBeVisible()
})

test('axe finds nothing on any screen, and every control is big enough', async ({ page }) => {
  const look = async (state: string) => {
    await expectNoFindings(page, state)
    await expectBigTargets(page)
  }
  await page.goto(`${heyline.url}/-/console`)
  await look('sign in')
  await press(page, 'Sign in')
  await expect(page.getByRole('alert')).toBeVisible()
  await look('sign in, refused')
  await press(page, 'Forgotten your password?')
  await page.getByLabel('E-mail address').fill(OWNER.email)
  await press(page, 'Send the link')
  await expect(page.getByRole('status')).toHaveText(/a mail is on its way/)
  await look('forgotten')
  await openLink(page, `${heyline.url}/-/console/#token_hash=a-hash&type=invite`)
  await expectNoFindings(page, 'invitation')
  await openLink(page, await setupLink(heyline))
  await look('set up')
  await sendAccount(page, OWNER, 'Create the owner')
  await expect(heading(page, 'Set up a second factor')).toBeVisible()
  await look('second factor, its kind')
  await press(page, 'Continue')
  const authenticator = await shownSecret(page)
  await look('second factor, its secret')
  await sendCode(page, await authenticator.code(), 'Turn it on')
  await shownCodes(page)
  await look('recovery codes')
  await press(page, 'I have saved them')
  await expect(heading(page, 'Visitors')).toBeFocused()
  await look('visitors')
  await openAccount(page)
  await expect(page.getByText('This session')).toBeVisible()
  await look('account')
  await press(page, 'Sign out')
  await sendAccount(page, OWNER, 'Sign in')
  await expect(heading(page, 'Second factor')).toBeVisible()
  await look('second factor')
})
