import { expect } from '@playwright/test'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { callsFromNow } from './platform-records.js'
import { audibleMs, speakersOpen, tapSpeaker } from './speaker.js'
import { storeVisitors } from './visitors.js'

const MINTED = { WEB_CALLS: 'minted', HUMAN_CHECK: 'altcha' }
const FUNCTION = '**/functions/v1/web-call'
const ADA = {
  slug: 'ada-minted',
  name: 'Ada',
  system: 'hush-prompt',
  first_message: 'Hello from the server.',
}

onEveryHost(
  'a minted call in the browser',
  (host) => {
    test('asks our server with the slug alone, is heard greeting, and stops', async ({ page, request }) => {
      await storeVisitors(host.heyline, [ADA])
      const printed = host.heyline.errors.length
      const asked: string[] = []
      const told: Promise<string>[] = []
      page.on('request', (sent) => asked.push(decodeURIComponent(sent.url())))
      page.on('response', (answer) => told.push(answer.text().catch(() => '')))
      const calls = await callsFromNow(host.heyline, request)
      await tapSpeaker(page)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto(`${host.url}/${ADA.slug}`)
      const minted = page.waitForRequest(FUNCTION)
      await start(page).click()
      const sent = await minted
      expect(sent.postDataJSON()).toEqual({ slug: ADA.slug })
      expect(await sent.headerValue('x-human-check')).toBeTruthy()
      expect(await sent.headerValue('authorization')).toBeNull()
      await expect(stop(page)).toBeVisible()
      await expect.poll(() => audibleMs(page), { timeout: 15_000 }).toBeGreaterThan(500)
      await stop(page).click()
      await expect(start(page)).toBeVisible()
      await expect.poll(() => speakersOpen(page)).toBe(0)

      expect(asked.filter((url) => url.endsWith('/call/web'))).toEqual([])
      const reads = asked.filter((url) => url.includes('/rest/v1/visitors'))
      expect(reads.length).toBeGreaterThan(0)
      for (const url of reads) expect(new URL(url).searchParams.get('select')).toBe('slug,name')
      expect((await Promise.all(told)).join('\n')).not.toContain(ADA.system)
      await expect
        .poll(async () => (await calls()).map(({ type, endedReason }) => [type, endedReason]))
        .toEqual([['webCall', 'customer-ended-call']])
      expect(host.heyline.errors.slice(printed)).not.toMatch(/"level":(50|60)/)
    })
  },
  MINTED,
)

onServer(
  'a minted call in the browser',
  (host) => {
    test('that is refused returns the button to idle without a message', async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.route(FUNCTION, (route) =>
        route.fulfill({ status: 429, json: { code: 'call_refused', message: 'This call is not placed.' } }),
      )
      await page.goto(`${host.url}/default`)
      const shown = () => page.locator('main').innerText()
      await expect(start(page)).toBeVisible()
      const before = await shown()
      const asked = page.waitForRequest(FUNCTION)
      await start(page).click()
      await asked
      await expect(start(page)).toBeVisible()
      expect((await shown()).replace('Call could not be started', '').trim()).toBe(before.trim())
    })

    test('leaves the keys of the page with nothing to start and no prompt to read', async ({
      page,
      request,
    }) => {
      await storeVisitors(host.heyline, [ADA])
      const answer = await page.goto(`${host.url}/${ADA.slug}`)
      const keys = await host.heyline.keys()
      expect(await answer?.text()).not.toContain(keys.platformPublic)
      const started = await request.post(`${host.url}/-/platform/call/web`, {
        headers: { authorization: `Bearer ${keys.platformPublic}` },
        data: { assistantId: host.heyline.assistantId },
      })
      expect(started.status()).toBe(403)
      for (const select of ['*', 'system', 'slug,first_message']) {
        const read = await request.get(`${host.url}/-/backend/rest/v1/visitors`, {
          params: { select, slug: `eq.${ADA.slug}` },
          headers: { apikey: keys.publishable, 'x-visitor-slug': ADA.slug },
        })
        expect([read.status(), (await read.json()).code]).toEqual([401, '42501'])
      }
    })
  },
  MINTED,
)
