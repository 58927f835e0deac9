import { type Browser, expect, type Page } from '@playwright/test'
import { test } from './fixtures.js'
import { opensOf, PERSON, personsBrowser, visitAsPerson } from './opens.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { PlainChromium } from './plain-chromium.js'
import { storeVisitors } from './visitors.js'

/** Longer than a page with input is to be visible, and shorter than one without. */
const SOME_TIME_MS = 4_500

let browser: Browser
test.beforeAll(async () => {
  browser = await personsBrowser()
})
test.afterAll(() => browser.close())

/** Has the page that another one links to drawn ahead. */
const ADD_RULES = `
  const rules = document.createElement('script')
  rules.type = 'speculationrules'
  rules.textContent = RULES
  document.head.append(rules)`

/** In a second: Chromium draws nothing ahead for a page while DevTools look at it. */
const later = (script: string) => `setTimeout(() => { ${script} }, 1000)`

const newPage = async (userAgent = PERSON): Promise<Page> =>
  (await browser.newContext({ userAgent })).newPage()

/** Addresses to which a page posts opens. */
function toldBy(page: Page): string[] {
  const told: string[] = []
  page.context().on('request', (request) => {
    if (request.url().endsWith('/-/opens')) told.push(request.url())
  })
  return told
}

onEveryHost('an open', (host) => {
  test('of five people is stored five times', async () => {
    const slugs = Array.from({ length: 5 }, (_, number) => `opened-${host.kind}-${number}`)
    await storeVisitors(
      host.heyline,
      slugs.map((slug) => ({ slug, name: 'Ada' })),
    )
    await Promise.all(
      slugs.map(async (slug) => {
        const page = await newPage()
        await visitAsPerson(page, `${host.url}/${slug}`)
        await expect.poll(() => opensOf(host.heyline, slug)).toBe(1)
        await page.context().close()
      }),
    )
  })
})

onServer('what is no open', (host) => {
  const visitor = async (slug: string) => {
    await storeVisitors(host.heyline, [{ slug, name: 'Ada' }])
    return `${host.url}/${slug}`
  }

  test('a browser that a program drives tells nothing', async ({ page }) => {
    const told = toldBy(page)
    await page.goto(await visitor('driven'))
    await page.mouse.move(100, 100)
    await page.mouse.down()
    await page.waitForTimeout(SOME_TIME_MS)
    expect(told).toEqual([])
    expect(await opensOf(host.heyline, 'driven')).toBe(0)
  })

  test('a headless browser that hides that does not count', async () => {
    const page = await newPage(PERSON.replace('Chrome', 'HeadlessChrome'))
    await visitAsPerson(page, await visitor('headless'))
    await page.waitForTimeout(1_000)
    expect(await opensOf(host.heyline, 'headless')).toBe(0)
  })

  test('a preview, and a page that does not exist', async () => {
    const page = await newPage()
    const told = toldBy(page)
    for (const url of [`${await visitor('previewed')}?preview`, `${host.url}/nobody-of-this-name`]) {
      await page.goto(url)
      await page.mouse.move(100, 100)
      await page.mouse.down()
      await page.waitForTimeout(SOME_TIME_MS)
      await page.mouse.up()
    }
    expect(told).toEqual([])
  })

  test('a page that is drawn ahead counts once somebody looks at it', async () => {
    const ahead = await visitor('ahead')
    // Of the same origin, and without a policy that forbids rules in a script.
    const linking = `${host.url}/-/health`
    const plain = PlainChromium.start(PERSON)
    try {
      await expect.poll(async () => (await plain.pages())?.map(({ url }) => url)).toEqual(['about:blank'])
      await plain.send('about:blank', [['Page.navigate', { url: linking }]])
      await expect.poll(() => plain.pages()).toMatchObject([{ url: linking }])
      await expect.poll(() => plain.evaluate(linking, 'document.readyState')).toBe('complete')
      const rules = JSON.stringify({ prerender: [{ urls: [ahead], eagerness: 'immediate' }] })
      await plain.evaluate(linking, later(ADD_RULES.replace('RULES', JSON.stringify(rules))))
      // Longer than a page without input is to be visible.
      await new Promise((resolve) => setTimeout(resolve, 18_000))
      expect(await opensOf(host.heyline, 'ahead')).toBe(0)
      await plain.evaluate(linking, later(`location.href = ${JSON.stringify(ahead)}`))
      await expect.poll(() => plain.pages()).toMatchObject([{ url: ahead }])
      // It was drawn, code and all, long before somebody looked at it.
      const drawnMs = "performance.getEntriesByType('navigation')[0].activationStart"
      expect(await plain.evaluate(ahead, drawnMs)).toBeGreaterThan(15_000)
      for (const x of [100, 200])
        await plain.send(ahead, [['Input.dispatchMouseEvent', { type: 'mouseMoved', x, y: 200 }]])
      await expect.poll(() => opensOf(host.heyline, 'ahead')).toBe(1)
    } finally {
      await plain.stop()
    }
  })

  test('a page that comes back out of the browser’s memory is told of once', async () => {
    const page = await newPage()
    const told = toldBy(page)
    const url = await visitor('again')
    await visitAsPerson(page, url)
    await page.goto(`${host.url}/nobody-of-this-name`)
    await page.goBack()
    await page.goForward()
    expect(told).toHaveLength(1)
  })
})

onServer(
  'a page with OPENS=off',
  (host) => {
    test('tells nothing', async () => {
      const page = await newPage()
      const told = toldBy(page)
      await page.goto(`${host.url}/default`)
      await page.mouse.move(100, 100)
      await page.mouse.down()
      await page.waitForTimeout(SOME_TIME_MS)
      expect(told).toEqual([])
      const files = await page.evaluate(() =>
        performance.getEntriesByType('resource').map(({ name }) => name),
      )
      expect(files.filter((name) => name.includes('watch-open'))).toEqual([])
    })
  },
  { OPENS: 'off' },
)
