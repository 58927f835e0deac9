import type { Browser, Page } from '@playwright/test'
import { FilledHeyline } from '../backend/filled-heyline.js'
import { SLOW_4G, throttle } from '../page/line.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms, quantile } from '../report/table.js'

const VISITORS = 100_000
const OWNER = { email: 'ada@example.com', password: 'a long and quiet river' }
const SIGN_INS = 5
const SCROLLS = 5
/** Frames of one scroll, and how far each goes, in px: from the first row of a page to its last, and on. */
const FRAMES = 300
const STEP = 60
const FIRST_SCREEN_LIMIT_MS = 1_000
const FRAME_LIMIT_MS = 50
const ROW = 'tbody tr[data-index]'

const SIZES = [
  { what: 'a desktop', viewport: { width: 1280, height: 800 } },
  { what: 'a phone', viewport: { width: 390, height: 844 } },
]

/** The console among 100,000 visitors: how soon it is there after the sign-in, and how evenly its table scrolls. */
export async function measureConsole(browser: Browser): Promise<Figure[]> {
  const server = await FilledHeyline.start('PGlite', VISITORS)
  try {
    await makeOwner(browser, server)
    const firstScreens: number[] = []
    for (let round = 0; round < SIGN_INS; round++) firstScreens.push(await firstScreenMs(browser, server))
    const figures = [
      limited({
        what: 'pressed Sign in → the first rows, on Slow 4G',
        value: median(firstScreens),
        limit: FIRST_SCREEN_LIMIT_MS,
        show: ms,
        beside: `worst of ${SIGN_INS} ${ms(Math.max(...firstScreens))}`,
      }),
    ]
    for (const { what, viewport } of SIZES) figures.push(await scrolled(browser, server, what, viewport))
    return figures
  } finally {
    await server.stop()
  }
}

async function makeOwner(browser: Browser, server: FilledHeyline) {
  const page = await browser.newPage()
  await page.goto(server.setupLink)
  await fillIn(page)
  await page.getByRole('button', { name: 'Create the owner' }).click()
  await page.locator(ROW).first().waitFor()
  await page.close()
}

async function fillIn(page: Page) {
  await page.getByLabel('E-mail address').fill(OWNER.email)
  await page.getByLabel(/^(New p|P)assword$/).fill(OWNER.password)
}

/** A page whose form for the sign-in is filled in, as by somebody who took a while. */
async function filledIn(page: Page, server: FilledHeyline) {
  await page.goto(`${server.url}/-/console`)
  await fillIn(page)
  await page.waitForLoadState('networkidle')
}

async function firstScreenMs(browser: Browser, server: FilledHeyline): Promise<number> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await throttle(page, SLOW_4G)
    await filledIn(page, server)
    const shown = page.evaluate(
      (row) =>
        new Promise<number>((resolve) => {
          let pressed = Number.NaN
          addEventListener('click', () => (pressed = performance.now()), { capture: true, once: true })
          const looking = new MutationObserver(() => {
            if (!document.querySelector(row)) return
            looking.disconnect()
            // After the frame that paints them.
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)))
          })
          looking.observe(document, { childList: true, subtree: true })
        }),
      ROW,
    )
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    return await shown
  } finally {
    await context.close()
  }
}

async function scrolled(
  browser: Browser,
  server: FilledHeyline,
  what: string,
  viewport: { width: number; height: number },
): Promise<Figure> {
  const context = await browser.newContext({ viewport })
  try {
    const page = await context.newPage()
    await filledIn(page, server)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator(ROW).first().waitFor()
    const plain = await withoutScript(page)
    const longest: number[] = []
    const plainLongest: number[] = []
    const all: number[] = []
    for (let round = 0; round < SCROLLS; round++) {
      plainLongest.push(Math.max(...(await framesOfScroll(plain))))
      await page.bringToFront()
      const frames = await framesOfScroll(page)
      longest.push(Math.max(...frames))
      all.push(...frames)
      await plain.bringToFront()
    }
    return limited({
      what: `the longest frame of a scroll through a page of 100, on ${what}`,
      value: median(longest),
      limit: FRAME_LIMIT_MS,
      show: ms,
      beside: `worst of ${SCROLLS} ${ms(Math.max(...longest))}, p99 ${ms(quantile(all, 0.99))}; the same rows without any script ${ms(median(plainLongest))}`,
    })
  } finally {
    await context.close()
  }
}

/** What the page shows, in a tab of its own: how evenly this machine scrolls such rows by itself. */
async function withoutScript(page: Page): Promise<Page> {
  const plain = await page.context().newPage()
  await plain.route('**/*', (route) =>
    route.request().resourceType() === 'script' ? route.abort() : route.continue(),
  )
  await plain.goto(page.url())
  const shown = await page.evaluate(() => document.body.innerHTML)
  await plain.evaluate((html) => {
    document.body.innerHTML = html
  }, shown)
  await plain.locator(ROW).first().waitFor()
  return plain
}

/** Scrolls the table down and up again; what each frame took, in ms. */
const framesOfScroll = (page: Page): Promise<number[]> =>
  page.evaluate(
    async ({ count, step }) => {
      const table = document.querySelector('.table-frame')
      const frames: number[] = []
      let last = performance.now()
      let way = step
      while (table && frames.length < count) {
        await new Promise((drawn) => requestAnimationFrame(drawn))
        const now = performance.now()
        frames.push(now - last)
        last = now
        const before = table.scrollTop
        table.scrollTop += way
        if (table.scrollTop === before) way = -way
      }
      return frames
    },
    { count: FRAMES, step: STEP },
  )
