import { expect } from '@playwright/test'
import { test } from './fixtures.js'
import { callsSent, tokens } from './human-check-requests.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { FAILURE, field, openForm, SUCCESS, submit, type } from './phone-form.js'

const ALTCHA = { HUMAN_CHECK: 'altcha' }
const CHALLENGE = '**/-/human-check?*'

onServer(
  'the human check with a puzzle of our own',
  (host) => {
    test('that can’t be had fails the call without a request, and the next press tries again', async ({
      page,
    }) => {
      const { calls, challenges } = callsSent(page)
      await page.route(CHALLENGE, (route) => route.abort('connectionrefused'))
      await openForm(page, host)
      await expect.poll(() => challenges).toHaveLength(1)
      await type(page, '2025550104')
      await submit(page)
      await expect(page.getByText(FAILURE)).toBeVisible()
      await expect(field(page)).toHaveValue('+1 202 555 0104')
      expect(calls).toEqual([])
      await page.unroute(CHALLENGE)
      await submit(page)
      await expect(page.getByText(SUCCESS)).toBeVisible()
      expect(calls).toHaveLength(1)
    })

    test('keeps the form busy while it works, and closing the form calls it off', async ({ page }) => {
      const { calls } = callsSent(page)
      const asked = page.waitForRequest(CHALLENGE)
      await page.route(CHALLENGE, () => {})
      await openForm(page, host)
      await type(page, '2025550105')
      await submit(page)
      await expect(page.getByRole('button', { name: 'Initiating Call...' })).toBeVisible()
      const challenge = await asked
      const ended = page.waitForEvent('requestfailed', (request) => request === challenge)
      await page.getByRole('button', { name: 'Call Me' }).click()
      await expect(field(page)).toBeHidden()
      await ended
      expect(calls).toEqual([])
    })
  },
  ALTCHA,
)

onEveryHost(
  'the human check with a puzzle of our own',
  (host) => {
    // The last: every call from here doubles the work of the next.
    test('is worked on from the opening of the form, and its token lets one call pass', async ({
      page,
      request,
    }) => {
      const { calls, challenges } = callsSent(page)
      await openForm(page, host)
      await expect.poll(() => challenges).toEqual(['?slug=default'])
      for (const [index, digits] of ['2025550101', '2025550102'].entries()) {
        await type(page, digits)
        await submit(page)
        await expect(page.getByText(SUCCESS)).toBeVisible()
        expect(calls[index]?.postDataJSON()).toEqual({ phone: `+1${digits}`, slug: 'default' })
      }
      const [first = '', second = ''] = tokens(calls)
      expect(first).not.toBe(second)
      expect(challenges).toHaveLength(2)

      const webhook = `${host.heyline.url}/-/backend/functions/v1/call-me`
      const data = { phone: '+12025550103', slug: 'default' }
      expect((await request.post(webhook, { data })).status()).toBe(403)
      for (const token of [first, 'e30='])
        expect((await request.post(webhook, { data, headers: { 'x-human-check': token } })).status()).toBe(
          403,
        )
    })
  },
  ALTCHA,
)
