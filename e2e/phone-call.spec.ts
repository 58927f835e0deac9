import { expect, type Page, test } from '@playwright/test'
import { callsOf } from './platform-records.js'
import { RunningHeyline } from './running-heyline.js'
import { audibleMs, tapSpeaker } from './speaker.js'

const SUCCESS = "Great! You'll receive a call within the next 15 seconds."

/** Shorter than the one that is spoken where none is set. */
const DISCLOSURE = 'This is an AI assistant of Heyline.'
/** Of the visitor whose page is opened. */
const FIRST_MESSAGE = 'Hello, this is Riverside Dental. How can I help you today?'

let heyline: RunningHeyline
test.beforeEach(async () => {
  heyline = await RunningHeyline.start({ CALL_DISCLOSURE: 'This is an AI assistant of {company}.' })
})
test.afterEach(() => heyline.stop())

async function callMe(page: Page, national: string) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/riverside-dental`)
  await page.getByRole('button', { name: 'Call Me' }).click()
  await page.getByRole('textbox').focus()
  await page.keyboard.press('End')
  await page.keyboard.type(national)
  await page.getByRole('button', { name: 'Call Now' }).click()
  await expect(page.getByText(SUCCESS)).toBeVisible()
}

test('Call Me rings the pocket phone in another tab; answered, the assistant is heard', async ({
  context,
  request,
}) => {
  const phone = await context.newPage()
  await tapSpeaker(phone)
  await phone.goto(`${heyline.url}/-/phone`)
  await expect(phone.getByText('Waiting for a call')).toBeVisible()

  const page = await context.newPage()
  await callMe(page, '4155552671')
  await phone.bringToFront()
  const answer = phone.getByRole('button', { name: 'Answer' })
  await expect(answer).toBeVisible({ timeout: 5_000 })
  await answer.click()
  const hangUp = phone.getByRole('button', { name: 'Hang up' })
  await expect(hangUp).toBeVisible()
  const rung = await audibleMs(phone)
  await expect.poll(() => audibleMs(phone), { timeout: 15_000 }).toBeGreaterThan(rung + 1_000)
  await hangUp.click()
  await expect(phone.getByText('Waiting for a call')).toBeVisible()

  await expect
    .poll(async () =>
      (await callsOf(heyline, request)).map(({ type, status, endedReason, customer }) => [
        type,
        status,
        endedReason,
        customer?.number,
      ]),
    )
    .toEqual([['outboundPhoneCall', 'ended', 'customer-ended-call', '+14155552671']])
})

test('with no phone open, the simulated callee answers by itself and hears who calls, then the greeting', async ({
  page,
  request,
}) => {
  await callMe(page, '4155552671')
  await expect
    .poll(async () => (await callsOf(heyline, request))[0]?.status, { timeout: 10_000 })
    .toBe('in-progress')
  await expect
    .poll(async () => (await callsOf(heyline, request))[0]?.status, { timeout: 30_000 })
    .toBe('ended')
  const [call] = await callsOf(heyline, request)
  expect(call?.endedReason).toBe('customer-ended-call')
  const said = call?.messages?.filter(({ role }) => role === 'bot').map(({ message }) => message)
  const first = `${DISCLOSURE} ${FIRST_MESSAGE}`
  expect(said?.join(' ').slice(0, first.length)).toBe(first)
})

test('a declined call ends as busy', async ({ context, request }) => {
  const phone = await context.newPage()
  await phone.goto(`${heyline.url}/-/phone`)
  await expect(phone.getByText('Waiting for a call')).toBeVisible()
  await callMe(await context.newPage(), '4155552671')
  await phone.bringToFront()
  await phone.getByRole('button', { name: 'Decline' }).click()
  await expect.poll(async () => (await callsOf(heyline, request))[0]?.endedReason).toBe('customer-busy')
})

test('a restart keeps visitors and calls', async ({ page, request }) => {
  await heyline.command('visitors', 'add', 'kept', '--name', 'Kept')
  await callMe(page, '2025550102')
  await expect.poll(async () => (await callsOf(heyline, request))[0]?.endedReason).toBe('customer-busy')
  await heyline.restart('SIGKILL')
  await page.goto(`${heyline.url}/kept`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey Kept,')
  expect((await callsOf(heyline, request)).map(({ endedReason }) => endedReason)).toEqual(['customer-busy'])
})
