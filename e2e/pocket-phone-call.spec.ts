import { expect, type Page } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { expectBigTargets } from './big-targets.js'
import { CuttableProxy } from './cuttable-proxy.js'
import { test } from './fixtures.js'
import { freePort } from './free-port.js'
import { stops } from './keyboard-focus.js'
import { askForCall } from './phone-form.js'
import { callsFromNow } from './platform-records.js'
import { button, openPhone, status } from './pocket-phones.js'
import { RunningHeyline } from './running-heyline.js'
import { audibleMs, quietFor, tapSpeaker } from './speaker.js'
import { storeVisitors } from './visitors.js'

/** A minute of speech, so that there is something to hear. */
const TALKATIVE = {
  slug: 'riverside-dental',
  name: 'Riverside Dental',
  first_message: Array(20).fill('This is a long story, and it goes on and on.').join(' '),
}

let proxy: CuttableProxy
let heyline: RunningHeyline
test.beforeAll(async () => {
  proxy = await CuttableProxy.start()
  const port = await freePort()
  proxy.leadTo(port)
  heyline = await RunningHeyline.start({
    PORT: String(port),
    PUBLIC_URL: proxy.url,
    COMPANY_NAME: 'Northwind',
  })
  await storeVisitors(heyline, [TALKATIVE])
})
test.afterAll(async () => {
  await heyline.stop()
  await proxy.stop()
})
test.beforeEach(() => proxy.mend())

/** Calls the phone, which answers. */
async function call(phone: Page) {
  const page = await phone.context().newPage()
  await askForCall(page, proxy.url, '4155552671')
  await page.close()
  await phone.bringToFront()
  await button(phone, 'Answer').click()
  await expect(status(phone)).toContainText('In call')
}

test('a call has a keypad that the assistant hears, a mute key, a loudspeaker level and a timer', async ({
  page: phone,
  request,
}) => {
  const { platformPrivate } = await heyline.keys()
  const keypadInputPlan = { enabled: true, timeoutSeconds: 1 }
  const set = await request.patch(`${heyline.url}/-/platform/assistant/${heyline.assistantId}`, {
    headers: { authorization: `Bearer ${platformPrivate}` },
    data: { keypadInputPlan },
  })
  expect(set.ok(), await set.text()).toBe(true)
  const calls = await callsFromNow(heyline, request)
  await tapSpeaker(phone)
  await openPhone(phone, proxy.url)
  await call(phone)
  await expect(button(phone, 'Hang up')).toBeFocused()
  await expectNoFindings(phone, 'in call')
  await expectBigTargets(phone)
  expect(await stops(phone)).toEqual(['Mute', 'Keypad', 'Loudspeaker level', 'Hang up'])
  await expect.poll(() => quietFor(phone)).toBeLessThan(500)

  const volume = phone.getByRole('slider', { name: 'Loudspeaker level' })
  await volume.fill('0')
  await expect.poll(() => quietFor(phone)).toBeGreaterThan(1_500)
  await volume.fill('100')
  await expect.poll(() => quietFor(phone)).toBeLessThan(500)

  await button(phone, 'Mute').click()
  await expect(button(phone, 'Mute')).toHaveAttribute('aria-pressed', 'true')
  await button(phone, 'Mute').click()
  await expect(button(phone, 'Mute')).toHaveAttribute('aria-pressed', 'false')

  await button(phone, 'Keypad').click()
  await expectNoFindings(phone, 'keypad')
  await expectBigTargets(phone)
  await button(phone, /^4$/).click()
  await phone.keyboard.type('2#x')
  await expect(phone.getByLabel('Keys pressed')).toHaveText('42#')
  await phone.keyboard.press('Escape')
  await expect(button(phone, 'Keypad')).toBeFocused()
  await expect(phone.getByRole('timer')).toHaveText(/^0:0[1-9]|0:[1-5]\d$/)
  await expect
    .poll(async () => (await calls())[0]?.messages?.map(({ message }) => message))
    .toContain("User's Keypad Entry: 42#")
  await button(phone, 'Hang up').click()
  await expect(status(phone)).toHaveText('Call endedWaiting for a call')
  await button(phone, 'Recents').click()
  await expect(phone.getByRole('listitem')).toHaveText(/Northwind.*Answered, 0:\d\d · \+12025550100/)
})

test('of two open phones both ring; the second shows what the first did', async ({
  page: phone,
  browser,
}) => {
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await openPhone(other, proxy.url)
  await openPhone(phone, proxy.url)
  const page = await phone.context().newPage()
  await askForCall(page, proxy.url, '4155552671')
  for (const one of [phone, other]) await expect(button(one, 'Answer')).toBeVisible()
  await phone.bringToFront()
  await button(phone, 'Answer').click()
  await expect(status(other)).toHaveText('Answered on another phoneWaiting for a call')
  await expect(status(phone)).toContainText('In call')
  await button(other, 'Recents').click()
  await expect(other.getByRole('listitem')).toHaveText(/Answered on another phone/)
  await button(phone, 'Hang up').click()
  await elsewhere.close()
})

test('a call whose connection breaks says so at once, and goes on when it is back', async ({
  page: phone,
}) => {
  await tapSpeaker(phone)
  await openPhone(phone, proxy.url)
  await call(phone)
  await expect.poll(() => audibleMs(phone)).toBeGreaterThan(200)
  const begin = Date.now()
  proxy.cut()
  await expect(status(phone)).toContainText('The call is interrupted. Trying again…')
  expect(Date.now() - begin).toBeLessThan(2_000)
  await expectNoFindings(phone, 'interrupted')
  proxy.mend()
  await expect(status(phone)).toHaveText('In call')
  const before = await audibleMs(phone)
  await expect.poll(() => audibleMs(phone)).toBeGreaterThan(before + 500)
  await button(phone, 'Hang up').click()
  await expect(status(phone)).toContainText('Call ended')
})

test('a call whose connection does not come back says that it was cut off', async ({ page: phone }) => {
  await openPhone(phone, proxy.url)
  await call(phone)
  proxy.cut()
  await expect(status(phone)).toContainText('The call was cut off: the connection was lost', {
    timeout: 30_000,
  })
  await expect(status(phone)).toContainText('The telephone line is lost. Trying again…')
  await button(phone, 'Recents').click()
  await expect(phone.getByRole('listitem')).toHaveText(/Cut off/)
})
