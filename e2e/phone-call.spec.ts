import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.js'
import { askForCall } from './phone-form.js'
import { callsFromNow } from './platform-records.js'
import type { RunningHeyline } from './running-heyline.js'
import { audibleMs, tapSpeaker } from './speaker.js'

/** Shorter than the one that is spoken where none is set. */
const DISCLOSURE = 'This is an AI assistant of Heyline.'
/** Of the visitor whose page is opened. */
const FIRST_MESSAGE = 'Hello, this is Riverside Dental. How can I help you today?'

async function openPhone(phone: Page, heyline: RunningHeyline) {
  await phone.goto(`${heyline.url}/-/phone`)
  await expect(phone.getByText('Waiting for a call')).toBeVisible()
}

test('Call Me rings the pocket phone in another tab; answered, the assistant is heard', {
  tag: '@main',
}, async ({ context, request, heyline }) => {
  const calls = await callsFromNow(heyline, request)
  const phone = await context.newPage()
  await tapSpeaker(phone)
  await openPhone(phone, heyline)

  const page = await context.newPage()
  await askForCall(page, heyline.url, '4155552671')
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
      (await calls()).map(({ type, status, endedReason, customer }) => [
        type,
        status,
        endedReason,
        customer?.number,
      ]),
    )
    .toEqual([['outboundPhoneCall', 'ended', 'customer-ended-call', '+14155552671']])
})

test('a declined call ends as busy', async ({ context, request, heyline }) => {
  const calls = await callsFromNow(heyline, request)
  const phone = await context.newPage()
  await openPhone(phone, heyline)
  await askForCall(await context.newPage(), heyline.url, '4155552671')
  await phone.bringToFront()
  await phone.getByRole('button', { name: 'Decline' }).click()
  await expect.poll(async () => (await calls())[0]?.endedReason).toBe('customer-busy')
})

test.describe('with a short disclosure', () => {
  test.use({ settings: { CALL_DISCLOSURE: 'This is an AI assistant of {company}.' } })

  test('with no phone open, the simulated callee answers by itself and hears who calls, then the greeting', async ({
    page,
    request,
    heyline,
  }) => {
    const calls = await callsFromNow(heyline, request)
    await askForCall(page, heyline.url, '4155552671')
    await expect.poll(async () => (await calls())[0]?.status, { timeout: 10_000 }).toBe('in-progress')
    await expect.poll(async () => (await calls())[0]?.status, { timeout: 30_000 }).toBe('ended')
    const [call] = await calls()
    expect(call?.endedReason).toBe('customer-ended-call')
    const said = call?.messages?.filter(({ role }) => role === 'bot').map(({ message }) => message)
    const first = `${DISCLOSURE} ${FIRST_MESSAGE}`
    expect(said?.join(' ').slice(0, first.length)).toBe(first)
  })
})
