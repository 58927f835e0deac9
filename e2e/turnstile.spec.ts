import { expect } from '@playwright/test'
import { test } from './fixtures.js'
import { callsSent, tokens } from './human-check-requests.js'
import { FAILURE, SUCCESS, submit, type } from './phone-form.js'
import { RunningHeyline } from './running-heyline.js'
import { Turnstile } from './turnstile.js'

let turnstile: Turnstile
let heyline: RunningHeyline
test.beforeAll(async () => {
  turnstile = await Turnstile.start()
  heyline = await RunningHeyline.start({
    HUMAN_CHECK: 'turnstile',
    TURNSTILE_SITE_KEY: 'site-key',
    TURNSTILE_SECRET_KEY: 'secret-key',
    TURNSTILE_URL: turnstile.url,
  })
})
test.afterAll(async () => {
  await heyline.stop()
  await turnstile.stop()
})

test('a token of Turnstile lets one call pass, and nothing of it is seen', async ({ page, request }) => {
  const { calls } = callsSent(page)
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text())
  })
  await turnstile.serve(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/default`)
  const frame = page.waitForRequest('https://challenges.cloudflare.com/frame')
  await page.getByRole('button', { name: 'Call Me' }).click()
  await frame
  await type(page, '2025550102')
  await submit(page)
  await expect(page.getByText(SUCCESS)).toBeVisible()
  expect(tokens(calls)).toEqual(['token-0-of-site-key'])
  expect(calls[0]?.postDataJSON()).toEqual({ phone: '+12025550102', slug: 'default' })
  await expect(page.locator('iframe')).toHaveCount(0)
  expect(refused).toEqual([])
  const again = await request.post(`${heyline.url}/-/backend/functions/v1/call-me`, {
    data: { phone: '+12025550103', slug: 'default' },
    headers: { 'x-human-check': 'token-0-of-site-key' },
  })
  expect(again.status()).toBe(403)
})

test('a widget that gives no token fails the call without a request, and so does one that can’t be loaded', async ({
  page,
}) => {
  const { calls } = callsSent(page)
  await turnstile.serve(page, { error: '300030' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/default`)
  await page.getByRole('button', { name: 'Call Me' }).click()
  await type(page, '2025550102')
  await submit(page)
  await expect(page.getByText(FAILURE)).toBeVisible()
  await page.route('https://challenges.cloudflare.com/**', (route) => route.abort('connectionrefused'))
  await page.reload()
  await page.getByRole('button', { name: 'Call Me' }).click()
  await type(page, '2025550102')
  await submit(page)
  await expect(page.getByText(FAILURE)).toBeVisible()
  expect(calls).toEqual([])
})
