import { expect, type Page } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { expectBigTargets } from './big-targets.js'
import { CHROMIUM_FLAGS } from './chromium-flags.js'
import { CuttableProxy } from './cuttable-proxy.js'
import { test } from './fixtures.js'
import { freePort } from './free-port.js'
import { stops } from './keyboard-focus.js'
import { askForCall } from './phone-form.js'
import { button, openPhone, sendCodes, status } from './pocket-phones.js'
import { RunningHeyline } from './running-heyline.js'

const COMPANY = `Northwind "Dental" & <Sons>`

/** Rings the phone, which comes to the front. */
async function ring(phone: Page, url: string, digits: string) {
  const page = await phone.context().newPage()
  await askForCall(page, url, digits)
  await page.close()
  await phone.bringToFront()
  await expect(button(phone, 'Answer')).toBeFocused()
}

test.describe('a pocket phone', () => {
  test.use({ settings: { COMPANY_NAME: COMPANY } })

  test('shows who calls, by name and number, and keeps declined calls until they are erased', async ({
    page: phone,
    heyline,
  }) => {
    await openPhone(phone, heyline.url)
    await expectNoFindings(phone, 'home')
    await ring(phone, heyline.url, '4155552671')
    await expect(phone).toHaveTitle(/^Incoming call/)
    await expect(status(phone)).toHaveText('Incoming call from +12025550100')
    await expect(phone.getByText(COMPANY, { exact: true })).toBeVisible()
    await expect(phone.getByText('+12025550100', { exact: true })).toBeVisible()
    await expect(phone.getByText('To +14155552671')).toBeVisible()
    await expect(button(phone, 'Answer')).toHaveAccessibleDescription(`${COMPANY} +12025550100`)
    expect(await stops(phone)).toEqual(['Decline', 'Answer'])
    await button(phone, 'Decline').click()
    await expect(status(phone)).toHaveText('DeclinedWaiting for a call')

    await button(phone, 'Recents').click()
    const calls = phone.getByRole('listitem')
    await expect(calls).toHaveText(/Declined · \+12025550100/)
    await expectNoFindings(phone, 'recents')
    await expectBigTargets(phone)
    await phone.reload()
    await button(phone, 'Recents').click()
    await expect(calls).toHaveCount(1)
    expect(await stops(phone)).toEqual(['Erase all', 'Home', 'Recents', 'Messages'])
    await button(phone, 'Erase all').click()
    await expect(calls).toHaveCount(0)
    await phone.reload()
    await button(phone, 'Recents').click()
    await expect(phone.getByText('No calls yet.')).toBeVisible()
    await ring(phone, heyline.url, '4155552672')
    await expectNoFindings(phone, 'ringing')
    // On a slow machine the caller has given up by now.
    const decline = button(phone, 'Decline')
    if (await decline.isVisible()) await decline.click()
    await expect(status(phone)).toContainText('Waiting for a call')
  })

  test('counts a missed call, and shows the same calls in every tab', async ({ page: phone, heyline }) => {
    await openPhone(phone, heyline.url)
    const other = await phone.context().newPage()
    await openPhone(other, heyline.url)
    const missed = { callId: crypto.randomUUID(), from: '+12025550100', to: '+14155552671' }
    await phone.evaluate((missed) => {
      const entry = { ...missed, at: Date.now(), outcome: 'missed' }
      localStorage.setItem('heyline.pocket-phone.calls', JSON.stringify([entry]))
    }, missed)
    await expect(button(other, 'Recents, 1 new')).toBeVisible()
    await expectNoFindings(other, 'missed')
    await button(other, 'Recents').click()
    await expect(other.getByRole('listitem')).toHaveText(/Missed/)
    await button(other, 'Home').click()
    await expect(button(other, 'Recents')).toHaveText('Recents')
    await button(other, 'Recents').click()
    await button(other, 'Erase all').click()
    // The other tab writes a moment later.
    await expect.poll(() => phone.evaluate(() => localStorage.length)).toBe(0)
  })

  test('shows codes as they come, lists them, copies them, and keeps none', async ({
    context,
    page: phone,
    heyline,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await openPhone(phone, heyline.url)
    const log = phone.getByRole('log', { name: 'Text messages' })
    await sendCodes(heyline, ['+12025550141', '+12025550142'])
    await expect(log.getByRole('article')).toHaveCount(2)
    await expect(button(phone, 'Messages, 2 new')).toBeVisible()
    await expectNoFindings(phone, 'texts')
    await button(phone, 'Copy code').first().click()
    await expect(button(phone, 'Copied')).toBeVisible()
    const code = await phone.evaluate(() => navigator.clipboard.readText())
    expect(code).toMatch(/^\d{6}$/)
    await expect(log).toContainText(code)
    await button(phone, /^Dismiss/)
      .first()
      .click()
    await expect(log.getByRole('article')).toHaveCount(1)
    await expect(button(phone, 'Messages, 1 new')).toBeVisible()

    await button(phone, 'Messages').click()
    await expect(log.getByRole('article')).toHaveCount(2)
    await expect(log.getByRole('article').first()).toContainText('To +12025550142')
    await expect(button(phone, 'Messages')).toHaveText('Messages')
    await expectNoFindings(phone, 'messages')
    await expectBigTargets(phone)
    await button(phone, 'Home').click()
    await expect(log.getByRole('article')).toHaveCount(0)
    await button(phone, 'Messages').click()
    await button(phone, 'Erase all').click()
    await expect(phone.getByText('No messages yet.')).toBeVisible()
    expect(await phone.evaluate(() => JSON.stringify(localStorage))).not.toContain(code)
  })

  test('moves while it rings, and stands still for those who want no motion', async ({
    page: phone,
    heyline,
  }) => {
    await openPhone(phone, heyline.url)
    await ring(phone, heyline.url, '4155552671')
    const moving = () => phone.evaluate(() => document.getAnimations().length)
    expect(await moving()).toBe(0)
    await phone.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await moving()).toBeGreaterThan(0)
    await button(phone, 'Decline').click()
  })

  test('can be installed, and an installed one opens with its key', async ({ page: phone, heyline }) => {
    const messages: string[] = []
    phone.on('console', (message) => messages.push(message.text()))
    await phone.goto(`${heyline.url}/-/phone?key=a%26b%20c`)
    const cdp = await phone.context().newCDPSession(phone)
    // The tests' own browser windows are private ones, into which nothing is installed.
    const errors = async () =>
      (await cdp.send('Page.getInstallabilityErrors')).installabilityErrors.map(({ errorId }) => errorId)
    await expect.poll(errors).toEqual(['in-incognito'])
    const { data } = await cdp.send('Page.getAppManifest')
    const { start_url, icons } = JSON.parse(data ?? '')
    expect(new URL(start_url, heyline.url).searchParams.get('key')).toBe('a&b c')
    for (const { src } of icons) {
      const icon = await phone.request.get(`${heyline.url}${src}`)
      expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/png'])
    }
    expect(messages.filter((text) => /Content Security Policy|manifest/i.test(text))).toEqual([])
  })
})

test.describe('a pocket phone at a public address', () => {
  const NAME = 'heyline.test'
  test.use({ ownBrowser: { args: [...CHROMIUM_FLAGS, `--host-resolver-rules=MAP ${NAME} 127.0.0.1`] } })

  test('opens by the link that the command prints, and by no other', async ({ page: phone }) => {
    const port = await freePort()
    const heyline = await RunningHeyline.start({
      PORT: String(port),
      PUBLIC_URL: `http://${NAME}:${port}`,
      PHONE_KEY: 'a&key+of%sixteen',
    })
    try {
      const { out } = await heyline.command('phone')
      await phone.goto(out.trim())
      await expect(phone.getByText('Waiting for a call')).toBeVisible()
      expect((await phone.goto(`${heyline.url}/-/phone`))?.status()).toBe(403)
    } finally {
      await heyline.stop()
    }
  })
})

test.describe('a pocket phone whose line is lost', () => {
  let proxy: CuttableProxy
  let heyline: RunningHeyline
  test.beforeAll(async () => {
    proxy = await CuttableProxy.start()
    const port = await freePort()
    proxy.leadTo(port)
    heyline = await RunningHeyline.start({ PORT: String(port), PUBLIC_URL: proxy.url })
  })
  test.afterAll(async () => {
    await heyline.stop()
    await proxy.stop()
  })
  test.beforeEach(() => proxy.mend())

  /** Milliseconds until the phone says so. */
  async function until(phone: Page, text: string): Promise<number> {
    const begin = Date.now()
    await expect(status(phone)).toContainText(text)
    return Date.now() - begin
  }

  test('says so at once when it breaks, and says when it is back', async ({ page: phone }) => {
    await openPhone(phone, proxy.url)
    proxy.cut()
    expect(await until(phone, 'The telephone line is lost. Trying again…')).toBeLessThan(2_000)
    await expectNoFindings(phone, 'lost')
    proxy.mend()
    await until(phone, 'The telephone line is back.Waiting for a call')
    await expect(status(phone)).toHaveText('Waiting for a call')
  })

  test('says so within seconds when nothing comes any more, and at once when the browser knows', async ({
    context,
    page: phone,
  }) => {
    await openPhone(phone, proxy.url)
    proxy.stall()
    // A second of silence, two for the answer, and the machine's own delays.
    expect(await until(phone, 'is lost')).toBeLessThan(6_000)
    proxy.mend()
    await until(phone, 'is back')
    await context.setOffline(true)
    expect(await until(phone, 'is lost')).toBeLessThan(2_000)
    await context.setOffline(false)
    expect(await until(phone, 'is back')).toBeLessThan(2_000)
  })

  test('tells of a call that was lost while it rang, and rings again if the caller still waits', async ({
    page: phone,
  }) => {
    await openPhone(phone, proxy.url)
    await ring(phone, proxy.url, '4155552671')
    proxy.cut()
    await until(phone, 'A call was missed: the line was lost while it rang')
    proxy.mend()
    await expect(button(phone, 'Answer')).toBeVisible()
    await button(phone, 'Decline').click()
    await button(phone, 'Recents').click()
    await expect(phone.getByRole('listitem')).toHaveText(/Declined/)
  })
})
