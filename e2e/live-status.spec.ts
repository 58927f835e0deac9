import { expect, type Page } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { test } from './fixtures.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { openForm, SUCCESS, submit, type } from './phone-form.js'

const LIVE_STATUS = { LIVE_STATUS: 'on' }
const EVENTS = '**/-/calls/*/events'

const line = (page: Page) => page.locator('.live-status')

/** Every text that the line has said so far, in order. */
async function texts(page: Page) {
  return page.evaluateHandle(() => {
    const said: (string | null)[] = []
    const place = document.querySelector('.live-status[role=status]')
    if (!place) throw new Error('There is no line.')
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) said.push(node.textContent)
    }).observe(place, { childList: true })
    return said
  })
}

async function call(page: Page, digits: string) {
  await type(page, digits)
  await submit(page)
  await expect(page.getByText(SUCCESS)).toBeVisible()
}

onEveryHost(
  'the live status',
  (host) => {
    test('follows a call that the pocket phone answers, in a line that was there before, and says each state once', async ({
      context,
    }) => {
      const phone = await context.newPage()
      await phone.goto(`${host.heyline.url}/-/phone`)
      await expect(phone.getByText('Waiting for a call')).toBeVisible()
      const page = await context.newPage()
      await openForm(page, host)
      await expect(line(page)).toBeAttached()
      await expect(line(page)).toHaveText('')
      const said = await texts(page)
      await call(page, '4155552671')
      await expect(line(page)).toHaveText('Ringing…')
      await expect(page.getByText(SUCCESS)).toBeVisible()
      await phone.bringToFront()
      await phone.getByRole('button', { name: 'Answer' }).click()
      await expect(line(page)).toHaveText('You are in the call.')
      await phone.getByRole('button', { name: 'Hang up' }).click()
      await expect(line(page)).toHaveText('The call has ended.')
      await expect(page.getByText(SUCCESS)).toBeVisible()
      const all = await said.jsonValue()
      expect(all.slice(-3)).toEqual(['Ringing…', 'You are in the call.', 'The call has ended.'])
      expect(new Set(all).size).toBe(all.length)
    })
  },
  LIVE_STATUS,
)

onServer(
  'the live status',
  (host) => {
    test('is clear to everybody, and goes with the form and with a new submit', async ({ context }) => {
      const phone = await context.newPage()
      await phone.goto(`${host.heyline.url}/-/phone`)
      await expect(phone.getByText('Waiting for a call')).toBeVisible()
      const page = await context.newPage()
      await openForm(page, host)
      await call(page, '4155552672')
      await expect(line(page)).toHaveText('Ringing…')
      await expectNoFindings(page, 'ringing')
      await submit(page)
      await expect(line(page)).toHaveText('')
      await call(page, '2025550102')
      await expect(line(page)).toHaveText('The line was busy.')
      await expectNoFindings(page, 'busy')
      await page.getByRole('button', { name: 'Call Me' }).click()
      await expect(line(page)).toHaveText('')
      await phone.getByRole('button', { name: 'Decline' }).click()
    })

    test('says once what several states have in common', async ({ page }) => {
      const events = ['queued', 'dialling', 'ringing', 'ringing'].map(
        (state) => `event: state\ndata: ${JSON.stringify({ state })}\n\n`,
      )
      await page.route(EVENTS, (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: ['retry: 60000\n\n', ...events].join('') }),
      )
      await openForm(page, host)
      await expect(line(page)).toBeAttached()
      const said = await texts(page)
      await call(page, '2025550102')
      await expect(line(page)).toHaveText('Ringing…')
      expect(await said.jsonValue()).toEqual(['Calling you…', 'Ringing…'])
    })

    test('stays away where the server gives no events, and the call is a call', async ({ page }) => {
      await page.route(EVENTS, (route) => route.fulfill({ status: 404 }))
      const asked = page.waitForResponse(EVENTS)
      await openForm(page, host)
      await call(page, '2025550104')
      await asked
      await expect(line(page)).toHaveText('')
    })
  },
  LIVE_STATUS,
)
