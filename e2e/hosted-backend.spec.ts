import type { ServerResponse } from 'node:http'
import { expect } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { test } from './fixtures.js'
import { HostedBackend, hang, rows } from './hosted-backend.js'
import { SCRIPTS_OFF, shownText } from './shown-text.js'

const ACME = [{ slug: 'acme', name: 'Acme', system: null, first_message: null }]

let hosted: HostedBackend
test.beforeAll(async () => {
  hosted = await HostedBackend.start()
})
test.afterAll(() => hosted.stop())

const url = (path = 'acme') => `${hosted.heyline.url}/${path}`

test('the page on a hosted backend reads its visitors there', async ({ page }) => {
  const keys: unknown[] = []
  hosted.answer(({ headers, url }, response) => {
    keys.push(headers.apikey)
    rows(response, url?.includes('eq.acme') ? ACME : [])
  })
  await page.goto(url())
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey Acme,')
  expect(new Set(keys)).toEqual(new Set(['sb_publishable_of_the_project']))
})

test('shows the loading state while a lookup takes its time, then greets', { tag: '@main' }, async ({
  page,
}) => {
  const waiting: ServerResponse[] = []
  hosted.answer((_, response) => void waiting.push(response))
  const first = await page.goto(url())
  expect(first?.status()).toBe(200)
  await expect(page.getByText('Loading...')).toBeVisible()
  hosted.answer((_, response) => rows(response, ACME))
  for (const response of waiting) rows(response, ACME)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey Acme,')
  await expect(page).toHaveTitle('Demo for Acme')
})

test('shows the not-found screen with 503 when a lookup fails', { tag: '@main' }, async ({ page }) => {
  hosted.answer((_, response) => response.writeHead(500).end('broken'))
  // A busy machine may answer with the loading state first.
  await expect(async () => {
    const failed = await page.goto(url())
    expect(failed?.status()).toBe(503)
  }).toPass()
  await expect(page.getByRole('heading')).toHaveText('Page Not Found')
})

test.describe('while a lookup takes its time', () => {
  test.beforeEach(() => hosted.answer(hang))

  test('axe finds nothing in the loading state, and nothing moves in it where less motion is asked for', async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(url())
    await expect(page.getByRole('status')).toHaveText('Loading...')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Loading...')
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
    await expectNoFindings(page, 'loading')
  })

  test('its line is shown without scripts, and in forced colours a ring that turns', async ({ browser }) => {
    const quiet = await browser.newPage({ javaScriptEnabled: false })
    await quiet.goto(url(''))
    expect((await shownText(quiet)).trim()).toBe(SCRIPTS_OFF)
    await quiet.close()
    const page = await browser.newPage({ forcedColors: 'active' })
    await page.goto(url(''))
    await expect(page.getByText('Loading...')).toBeVisible()
    expect((await shownText(page)).trim()).toBe('Loading...')
    const [top, bottom] = await page
      .locator('.spinner')
      .evaluate((ring) => [getComputedStyle(ring).borderTopColor, getComputedStyle(ring).borderBottomColor])
    expect(top).not.toBe(bottom)
    await page.close()
  })

  test('a shared link says what there is', async ({ request }) => {
    const html = await (await request.get(url('riverside-dental'))).text()
    expect(html).toContain('<title>Loading...</title>')
    expect(html).toContain('<meta property="og:title" content="A voice assistant to try">')
    expect(html).toMatch(/<meta property="og:description" content="A voice assistant that answers [^"]+">/)
  })
})
