import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Locator, type Page, type Route, test } from '@playwright/test'
import { onEveryHost } from './page-hosts.js'
import { EMPTY, FAILURE, field, openForm, SUCCESS, WEBHOOK } from './phone-form.js'
import { SlowBackend } from './slow-backend.js'

const SLUG = 'riverside-dental'
const MESSAGES = { [EMPTY]: undefined, [FAILURE]: 500, [SUCCESS]: 202 }

const callMe = (page: Page) => page.getByRole('button', { name: 'Call Me' })
const callNow = (page: Page) => page.getByRole('button', { name: 'Call Now' })
const browserCall = (page: Page) => page.locator('[data-phase].button')

async function open(page: Page, url: string, path = SLUG) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${url}/${path}`)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Loading...')
}

/** With a status, the webhook's answer; without one the form is sent empty. */
async function submitAnswered(page: Page, status: number | undefined) {
  if (status !== undefined) await page.keyboard.type('4155552671')
  await page.route(WEBHOOK, (route) => route.fulfill({ status, body: '{}' }))
  await page.keyboard.press('Enter')
}

/** What axe finds: all its rules that are no experiment, with target sizes (2.5.8) and a contrast of 7:1 (1.4.6). */
async function findings(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({
    rules: { 'target-size': { enabled: true }, 'color-contrast-enhanced': { enabled: true } },
  })
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** Layout does not depend on the colours, nor the colours on the width: two looks stand for all four. */
const LOOKS = [
  { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
] as const

async function expectNoFindings(page: Page, state: string) {
  for (const { viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    // A colour that is still on its way would be measured as no one sees it. A cancelled transition has arrived too.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
    expect(await findings(page), `${state}, ${colorScheme}, ${viewport.width} px`).toEqual([])
  }
}

/** What the keyboard's focus is on, and whether a ring shows it: on itself or, in the phone field, around it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    const name = element?.getAttribute('aria-label') ?? element?.textContent
    const ringed = [element, element?.closest('.PhoneInputCountry'), element?.closest('.PhoneInput')]
    const hasRing = ringed.some((one) => {
      if (!one) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2
    })
    return `${name}${hasRing ? '' : ' (no ring)'}`
  })

/** The stops of the Tab key, from the top of the document until it leaves it. */
async function stops(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  const names: string[] = []
  for (let turn = 0; turn < 12; turn += 1) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => document.activeElement === document.body)) break
    names.push(await focused(page))
  }
  return names
}

async function expectBigTargets(page: Page) {
  const targets = await page.locator('a, button, input, select').all()
  expect(targets.length).toBeGreaterThan(2)
  for (const target of targets) {
    const box = await target.boundingBox()
    const name = await target.evaluate((element) => element.outerHTML.slice(0, 80))
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(24)
  }
}

onEveryHost('for everybody', (host) => {
  test('axe finds nothing on the main and the not-found screen, nor in the middle of the fades', async ({
    page,
  }) => {
    await open(page, host.url, 'nobody-of-this-name')
    await expectNoFindings(page, 'not found')
    await open(page, host.url)
    await expectNoFindings(page, 'main')
    await page.emulateMedia({ reducedMotion: 'no-preference', colorScheme: 'light' })
    for (const time of [2_500, 3_500]) {
      const fading = await page.evaluate((time) => {
        const fades = document
          .getAnimations()
          .filter((one) => 'animationName' in one && one.animationName === 'fade')
        for (const fade of fades) {
          fade.pause()
          fade.currentTime = time
        }
        return fades.length
      }, time)
      expect(fading).toBe(4)
      expect(await findings(page), `fading, ${time} ms`).toEqual([])
    }
  })

  test('axe finds nothing in the form: open, busy, with each message', async ({ page }) => {
    await openForm(page, host)
    await expectNoFindings(page, 'form')
    for (const [message, status] of Object.entries(MESSAGES)) {
      await submitAnswered(page, status)
      await expect(page.getByText(message)).toBeVisible()
      await expectNoFindings(page, message)
    }
    await page.route(WEBHOOK, () => {})
    await field(page).fill('+14155552671')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Initiating Call...')).toBeVisible()
    await expectNoFindings(page, 'busy')
  })

  test('axe finds nothing while a browser call connects and runs, its transcript open', async ({ page }) => {
    await open(page, host.url)
    const held = new Promise<Route>((resolve) => void page.route('**/call/web', resolve))
    await browserCall(page).click()
    await expect(browserCall(page)).toHaveText('Connecting...')
    await expectNoFindings(page, 'connecting')
    await (await held).continue()
    await expect(browserCall(page)).toHaveText('Stop Call')
    await page.getByRole('button', { name: 'Mute' }).click()
    await expectNoFindings(page, 'in call')
    await page.getByRole('button', { name: 'Transcript' }).click()
    await expectNoFindings(page, 'in call, transcript open')
    await expectBigTargets(page)
    await browserCall(page).click()
  })

  test('landmarks, one heading, and a title', async ({ page }) => {
    await open(page, host.url)
    await expect(page.getByRole('main')).toHaveCount(1)
    await expect(page.getByRole('contentinfo').getByRole('link')).toHaveText('Website')
    await expect(page.getByRole('heading')).toHaveCount(1)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(
      'Hey Riverside Dental,',
    )
    await expect(page).toHaveTitle('Demo for Riverside Dental')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })

  test('Tab stops at every control in the order of reading, with a ring', async ({ page }) => {
    await open(page, host.url)
    expect(await stops(page)).toEqual(['Call Me', 'Test in Browser', 'Website'])
    await callMe(page).click()
    await expect(field(page)).toBeFocused()
    expect(await stops(page)).toEqual([
      'Call Me',
      'Test in Browser',
      'Country',
      'Phone number',
      'Call Now',
      'Website',
    ])
    await expectBigTargets(page)
  })

  test('the focus goes into the form and back, and stays on a button that is busy', async ({ page }) => {
    await open(page, host.url)
    await expect(callMe(page)).toHaveAttribute('aria-expanded', 'false')
    await callMe(page).focus()
    await page.keyboard.press('Enter')
    await expect(field(page)).toBeFocused()
    await expect(callMe(page)).toHaveAttribute('aria-expanded', 'true')
    const controlled = page.locator(`#${await callMe(page).getAttribute('aria-controls')}`)
    await expect(controlled.getByRole('form')).toBeVisible()
    await page.route(WEBHOOK, () => {})
    await page.keyboard.type('4155552671')
    await callNow(page).focus()
    await page.keyboard.press('Enter')
    await expectBusy(page.getByRole('button', { name: 'Initiating Call...' }))
    await callMe(page).focus()
    await page.keyboard.press('Enter')
    await expect(field(page)).toBeHidden()
    await expect(callMe(page)).toBeFocused()

    await page.route('**/call/web', () => {})
    await browserCall(page).focus()
    await page.keyboard.press('Enter')
    await expectBusy(page.getByRole('button', { name: 'Connecting...' }))
  })

  test('what is announced is said by regions that were there, and empty, from the start', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const seen: { regions?: Element[]; texts?: (string | null)[] } = {}
      Object.assign(window, { seen })
      // The footer closes the main screen, whether it is parsed or rendered.
      const observer = new MutationObserver(() => {
        if (!document.querySelector('footer')) return
        seen.regions = [...document.querySelectorAll('[role=status]')]
        seen.texts = seen.regions.map(({ textContent }) => textContent)
        observer.disconnect()
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    await open(page, host.url)
    const seen = await page.evaluateHandle(
      () => (window as Window & { seen?: { regions?: Element[]; texts?: (string | null)[] } }).seen ?? {},
    )
    expect(await seen.evaluate(({ texts }) => texts)).toEqual(['', ''])
    await page.route('**/call/web', () => {})
    await browserCall(page).click()
    await callMe(page).click()
    await callNow(page).click()
    await expect(page.getByText(EMPTY)).toBeVisible()
    expect(await seen.evaluate(({ regions }) => regions?.map((region) => region.textContent))).toEqual([
      'Connecting',
      EMPTY,
    ])
    await expect(field(page)).toHaveAccessibleDescription(EMPTY)
  })

  test('a message that stays the same is announced at every submit', async ({ page }) => {
    await openForm(page, host)
    const said = await page.evaluateHandle(() => {
      const texts: (string | null)[] = []
      const region = document.getElementById('call-me-message')
      if (!region) throw new Error('There is no region for the message.')
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) texts.push(node.textContent)
      }).observe(region, { childList: true })
      return texts
    })
    for (const times of [1, 2, 3]) {
      await page.keyboard.press('Enter')
      await expect.poll(() => said.jsonValue()).toEqual(Array(times).fill(EMPTY))
    }
  })

  test('who moves the focus during the fades sees where it is, and leaving starts no fade again', async ({
    page,
  }) => {
    await page.goto(`${host.url}/${SLUG}`)
    await expect(callMe(page)).toBeAttached()
    const fadesNow = () =>
      page.evaluateHandle(() =>
        document.getAnimations().filter((one) => 'animationName' in one && one.animationName === 'fade'),
      )
    const fades = await fadesNow()
    const filters = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.fade-first, .fade-then')].map(
          (element) => getComputedStyle(element).filter,
        ),
      )
    const leave = () => page.evaluate(() => (document.activeElement as HTMLElement).blur())
    const [hidden, shown] = [Array(4).fill('opacity(0)'), Array(4).fill('none')]
    await fades.evaluate((all) => {
      for (const fade of all) {
        fade.pause()
        fade.currentTime = 500
      }
    })
    expect(await filters()).toEqual(hidden)
    for (const name of ['Call Me', 'Test in Browser', 'Website']) {
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe(name)
      expect(await filters()).toEqual(shown)
    }
    await leave()
    expect(await filters()).toEqual(hidden)
    await callMe(page).focus()
    await fades.evaluate((all) => {
      for (const fade of all) fade.finish()
    })
    await leave()
    expect(await filters()).toEqual(shown)
    await page.keyboard.press('Tab')
    await leave()
    expect(await filters()).toEqual(shown)
    expect(await (await fadesNow()).evaluate((running) => running.length)).toBe(0)
  })

  test('nothing moves, and nothing waits, for those who asked for less motion', async ({ page }) => {
    await open(page, host.url)
    const moving = () => page.evaluate(() => document.getAnimations().length)
    expect(await moving()).toBe(0)
    await page.route('**/call/web', () => {})
    await browserCall(page).click()
    await expect(browserCall(page)).toHaveText('Connecting...')
    await expect.poll(moving).toBe(0)
  })
})

async function expectBusy(button: Locator) {
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toBeFocused()
  await expect(button).not.toHaveAttribute('disabled')
}

test.describe('while a lookup takes its time', () => {
  let slow: SlowBackend
  test.beforeAll(async () => {
    slow = await SlowBackend.start()
  })
  test.afterAll(() => slow.stop())

  test('axe finds nothing in the loading state, and nothing moves in it where less motion is asked for', async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${slow.url}/${SLUG}`)
    await expect(page.getByRole('status')).toHaveText('Loading...')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Loading...')
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
    await expectNoFindings(page, 'loading')
  })
})
