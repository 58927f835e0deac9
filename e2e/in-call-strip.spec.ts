import { expect, type Page, type WebSocketRoute } from '@playwright/test'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { hum, listenAtWire, ROOM } from './humming-microphone.js'
import { onEveryHost, onServer } from './page-hosts.js'
import type { RunningHeyline } from './running-heyline.js'
import { storeVisitors } from './visitors.js'

const GREETING = 'Hello. You have reached the lighthouse.'
const STRIP_CODE = /mount-strip/

const callMe = (page: Page) => page.getByRole('button', { name: 'Call Me', exact: true })
const strip = (page: Page) => page.getByRole('region', { name: 'Call in progress' })
const timer = (page: Page) => page.getByRole('timer', { name: 'Call duration' })
const mute = (page: Page) => page.getByRole('button', { name: 'Mute microphone', exact: true })
const transcript = (page: Page) => page.getByRole('button', { name: 'Transcript', exact: true })
const log = (page: Page) => page.getByRole('log', { name: 'Transcript' })
/** The page's own; the strip has one for the line, below it. */
const status = (page: Page) => page.locator('.visually-hidden[role="status"]').first()

async function open(page: Page, url: string) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${url}/lighthouse`)
}

async function startCall(page: Page, url: string) {
  await open(page, url)
  await start(page).click()
  await expect(strip(page)).toBeVisible()
}

const addVisitor = (heyline: RunningHeyline) =>
  storeVisitors(heyline, [{ slug: 'lighthouse', name: 'Lighthouse', first_message: GREETING }])

/** What the page's next room says and hears, in the test's hand: messages may be added and the call ended. */
async function holdRoom(page: Page) {
  let room: WebSocketRoute | undefined
  await page.routeWebSocket(ROOM, (socket) => {
    socket.connectToServer()
    room = socket
  })
  const held = () => {
    if (!room) throw new Error('No room was opened.')
    return room
  }
  return {
    say: (role: string, text: string, transcriptType = 'final') =>
      held().send(JSON.stringify({ type: 'transcript', role, transcriptType, transcript: text })),
    end: () => held().close({ code: 1000 }),
  }
}

declare global {
  interface Window {
    /** The levels that the strip's meter has shown. */
    meterLevels: Set<string>
  }
}

onEveryHost('the strip of a call', (host) => {
  test.beforeAll(() => addVisitor(host.heyline))

  test('appears with the call, shows its time and level, and goes with it', async ({ page }) => {
    await page.addInitScript(() => {
      window.meterLevels = new Set()
      setInterval(() => {
        const meter = document.querySelector<HTMLElement>('.in-call-level')
        if (meter) window.meterLevels.add(meter.style.getPropertyValue('--level'))
      }, 50)
    })
    await open(page, host.url)
    await expect(status(page)).toHaveText('')
    await expect(strip(page)).toBeHidden()
    await start(page).click()
    await expect(timer(page)).toHaveText(/^0:0\d$/)
    // It counts on. A loaded machine may skip the second in which it is looked at.
    await expect(timer(page)).toHaveText(/^0:(0[2-9]|[1-5]\d)$/)
    const levels = () => page.evaluate(() => [...window.meterLevels].map(Number))
    await expect.poll(async () => (await levels()).filter((level) => level > 0.05).length).toBeGreaterThan(5)
    await expect(status(page)).toHaveText('Call connected')
    await stop(page).click()
    await expect(strip(page)).toBeHidden()
    await expect(start(page)).toBeFocused()
    await expect(status(page)).toHaveText('Call ended')
  })
})

onServer('the strip of a call', (host) => {
  test.beforeAll(() => addVisitor(host.heyline))

  test('moves neither the buttons, nor the form, nor its message', async ({ page }) => {
    await open(page, host.url)
    await callMe(page).click()
    await page.getByRole('button', { name: 'Call Now' }).click()
    const message = page.getByText('Please enter a valid phone number')
    await expect(message).toBeVisible()
    const call = page.getByRole('button', { name: /^(Test in Browser|Stop Call)$/ })
    const fixed = [callMe(page), call, page.getByRole('form'), message]
    const boxes = () => Promise.all(fixed.map((element) => element.boundingBox()))
    const before = await boxes()
    await start(page).click()
    await expect(strip(page)).toBeVisible()
    expect(await boxes()).toEqual(before)
    const below = await strip(page).boundingBox()
    for (const box of before)
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
    await stop(page).click()
  })

  test('mutes the microphone, seen on the wire, and opens it again', async ({ page }) => {
    await hum(page)
    const atWire = listenAtWire(page)
    await startCall(page, host.url)
    await expect.poll(atWire).toBe('sound')
    await expect(mute(page)).toHaveAttribute('aria-pressed', 'false')
    await mute(page).click()
    await expect(mute(page)).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText('Microphone off')).toBeVisible()
    await expect.poll(atWire).toBe('silence')
    await mute(page).click()
    await expect(page.getByText('Microphone off')).toBeHidden()
    await expect.poll(atWire).toBe('sound')
    await mute(page).click()
    await stop(page).click()
    await start(page).click()
    await expect(mute(page)).toHaveAttribute('aria-pressed', 'false')
    await expect.poll(atWire).toBe('sound')
    await stop(page).click()
  })

  test('shows what the assistant said once its transcript is opened', async ({ page }) => {
    await startCall(page, host.url)
    await expect(transcript(page)).toHaveAttribute('aria-expanded', 'false')
    await expect(log(page)).toBeHidden()
    await transcript(page).click()
    await expect(log(page)).toBeVisible()
    await expect(log(page)).toContainText('What is said in the call appears here.')
    await expect(log(page)).toContainText(/Assistant\s*Hello\. You have reached the lighthouse\./, {
      timeout: 15_000,
    })
    await stop(page).click()
    await start(page).click()
    await expect(transcript(page)).toHaveAttribute('aria-expanded', 'false')
    await expect(page.getByText('You have reached')).toBeHidden()
    await stop(page).click()
  })

  test('leaves words that still change out of what is announced, and follows the end', async ({ page }) => {
    const room = await holdRoom(page)
    await startCall(page, host.url)
    await transcript(page).click()
    room.say('user', 'When are', 'partial')
    const words = log(page).getByText('When are')
    await expect(words).toBeVisible()
    await expect(words).toHaveAttribute('aria-hidden', 'true')
    room.say('user', 'When are you open?')
    await expect(words).toHaveText(/^You\s*When are you open\?$/)
    await expect(words).not.toHaveAttribute('aria-hidden')
    for (let round = 0; round < 12; round += 1) room.say('assistant', `This is line ${round}.`)
    await expect(log(page).getByText('This is line 11.')).toBeInViewport()
    await log(page).evaluate((element) => element.scrollTo(0, 0))
    await expect(log(page).getByText('This is line 11.')).not.toBeInViewport()
    room.say('user', 'And on Sunday?')
    await expect(log(page).getByText('And on Sunday?')).toBeAttached()
    await expect(log(page).getByText('And on Sunday?')).not.toBeInViewport()
    await stop(page).click()
  })

  test('works by keyboard, from the button on', async ({ page }) => {
    await open(page, host.url)
    await start(page).focus()
    await page.keyboard.press('Enter')
    await expect(strip(page)).toBeVisible()
    await expect(stop(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(mute(page)).toBeFocused()
    await page.keyboard.press('Space')
    await expect(mute(page)).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('Tab')
    await expect(transcript(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(log(page)).toBeFocused()
    await stop(page).press('Enter')
    await expect(start(page)).toBeFocused()
  })

  test('gives the focus to the button when the call ends under it', async ({ page }) => {
    const room = await holdRoom(page)
    await startCall(page, host.url)
    await mute(page).focus()
    await room.end()
    await expect(strip(page)).toBeHidden()
    await expect(start(page)).toBeFocused()
  })

  test('takes no focus that was elsewhere', async ({ page }) => {
    const room = await holdRoom(page)
    await startCall(page, host.url)
    await callMe(page).focus()
    const focused = await page.evaluateHandle(() => {
      const names: (string | null)[] = []
      document.addEventListener('focusin', ({ target }) => names.push((target as Element).textContent))
      return names
    })
    await room.end()
    await expect(strip(page)).toBeHidden()
    await expect(callMe(page)).toBeFocused()
    expect(await focused.jsonValue()).toEqual([])
  })

  test('is of 24 pixels at least in each control, and within a narrow screen', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await startCall(page, host.url)
    await mute(page).click()
    await transcript(page).click()
    for (const control of [mute(page), transcript(page)]) {
      const box = await control.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24)
    }
    const sticksOut = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
    expect(sticksOut).toBeLessThanOrEqual(0)
    await stop(page).click()
  })

  test('is not there, and the failure is said to screen readers, when the call could not start', async ({
    page,
  }) => {
    await page.route('**/-/platform/call/web', (route) => route.fulfill({ status: 500, body: '{}' }))
    await open(page, host.url)
    await start(page).click()
    await expect(status(page)).toHaveText('Call could not be started')
    await expect(strip(page)).toBeHidden()
  })

  test('that can not be loaded leaves the call as it is', async ({ page }) => {
    const broken: Error[] = []
    page.on('pageerror', (error) => broken.push(error))
    await page.route(STRIP_CODE, (route) => route.abort())
    await open(page, host.url)
    await start(page).click()
    await expect(stop(page)).toBeVisible()
    await expect(strip(page)).toBeHidden()
    await stop(page).click()
    await expect(start(page)).toBeVisible()
    expect(broken).toEqual([])
  })
})

for (const [title, settings, times] of [
  ['without a setting', {}, 1],
  ['with IN_CALL_STRIP=off', { IN_CALL_STRIP: 'off' }, 0],
] as const)
  test.describe(title, () => {
    test.use({ settings })

    test(`the code of the strip is ${times > 0 ? '' : 'not '}loaded`, async ({ page, heyline }) => {
      await addVisitor(heyline)
      const loaded: string[] = []
      page.on('request', (request) => loaded.push(request.url()))
      await open(page, heyline.url)
      await start(page).click()
      await expect(stop(page)).toBeVisible()
      await expect(status(page)).toHaveText('Call connected')
      expect(loaded.filter((url) => STRIP_CODE.test(url))).toHaveLength(times)
      await expect(strip(page)).toBeVisible({ visible: times > 0 })
      await stop(page).click()
    })
  })
