import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.js'
import { freePort } from './free-port.js'
import { hum } from './humming-microphone.js'
import { askForCall } from './phone-form.js'
import { callsFromNow } from './platform-records.js'
import { button, openPhone, status } from './pocket-phones.js'
import { RunningHeyline } from './running-heyline.js'
import { quietFor, tapSpeaker } from './speaker.js'
import { storeVisitors } from './visitors.js'

const SALES = '+14155552672'
const VISITOR = {
  slug: 'riverside-dental',
  name: 'Riverside Dental',
  first_message: 'Hello, this is the dentist.',
}

let heyline: RunningHeyline
test.beforeAll(async () => {
  heyline = await RunningHeyline.start({ PORT: String(await freePort()), COMPANY_NAME: 'Northwind' })
  await storeVisitors(heyline, [VISITOR])
})
test.afterAll(() => heyline.stop())

/** A request over a connection that the server has just closed fails once. */
const SOON = { timeout: 10_000 }

const isHeard = (phone: Page) => expect.poll(() => quietFor(phone)).toBeLessThan(500)
const isSilent = (phone: Page) => expect.poll(() => quietFor(phone)).toBeGreaterThan(1_500)

test('a transferred call joins two pocket phones, with sound both ways, and ends with either', async ({
  page: caller,
  browser,
  request,
}) => {
  const calls = await callsFromNow(heyline, request)
  const elsewhere = await browser.newContext({ permissions: ['microphone'] })
  const sales = await elsewhere.newPage()
  for (const phone of [caller, sales]) {
    await hum(phone)
    await tapSpeaker(phone)
  }
  await openPhone(caller, heyline.url)
  const page = await caller.context().newPage()
  await askForCall(page, heyline.url, '4155552671')
  await page.close()
  await caller.bringToFront()
  await button(caller, 'Answer').click()
  await button(caller, 'Mute').click()
  await openPhone(sales, heyline.url)
  const [call] = await calls()

  const { platformPrivate } = await heyline.keys()
  const transfer = async () => {
    const destination = { type: 'number', number: SALES, message: 'One moment.' }
    const answer = await fetch(`${heyline.url}/-/platform/call/${call?.id}/control`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platformPrivate}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'transfer', destination }),
    })
    expect(answer.ok, await answer.text()).toBe(true)
  }
  await transfer()
  await expect(status(sales)).toContainText('+1')
  // The caller hears that it rings, and their own phone is not rung.
  await isHeard(caller)
  await expect(status(caller)).toHaveText('In call')

  await button(sales, 'Decline').click()
  const messages = async () => JSON.stringify((await calls())[0]?.messages)
  await expect(async () => expect(await messages()).toContain('the line is busy there')).toPass(SOON)
  await expect(status(caller)).toHaveText('In call')
  await transfer()
  await button(sales, 'Answer').click()
  await button(sales, 'Mute').click()
  await expect(status(sales)).toHaveText('In call')
  for (const phone of [caller, sales]) await isSilent(phone)

  await button(caller, 'Mute').click()
  await isHeard(sales)
  await isSilent(caller)
  await button(sales, 'Mute').click()
  await isHeard(caller)
  await button(caller, 'Mute').click()
  await isSilent(sales)

  await button(sales, 'Hang up').click()
  for (const phone of [caller, sales]) await expect(status(phone)).toContainText('Call ended')
  const over = { status: 'ended', endedReason: 'assistant-forwarded-call' }
  await expect(async () => expect(await calls()).toMatchObject([over])).toPass(SOON)
  expect(await messages()).toContain(`The call was transferred to ${SALES}.`)
  await elsewhere.close()
})
