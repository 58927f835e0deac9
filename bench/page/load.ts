import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { openPage } from '../browser/bench-page.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'
import { type Line, SLOW_4G, throttle, UNTHROTTLED } from './line.js'
import { observeLoad, type PageLoad, totalBlockingMs } from './page-load.js'
import { byTurns, type Site, type Sites } from './site.js'

const ROUNDS = 7
/** How long a load is watched: past the fades, so that nothing that they or the idle work cause is missed. */
const SLOW_END_MS = 5_000
const FAST_END_MS = 1_500
/** The navigation begins a little before `goto` returns, and observers are told a little late. */
const SPARE_MS = 200

/**
 * Loads by turns, each in a fresh context (no cache, no connection) after one of each that isn't counted. Greeting,
 * FCP, LCP, layout shifts and long tasks are the page's own observations; see `page-load.ts`.
 */
export async function measureSlowLoad(sites: Sites): Promise<Figure[]> {
  const { ours, peer } = await loads(sites, SLOW_4G, SLOW_END_MS)
  const blocking = (load: PageLoad) => totalBlockingMs(load, SLOW_END_MS)
  const against = (what: string, limit: number, of: (load: PageLoad) => number | undefined) =>
    limited({
      what,
      value: middle(ours, of),
      limit,
      show: ms,
      beside: `${clientRendered(peer, of)}; ours ${range(ours, of)}`,
    })
  return [
    against('greeting in the DOM', 350, ({ greetingMs }) => greetingMs),
    against("first contentful paint (client-rendered: the word 'Loading...')", 450, ({ fcpMs }) => fcpMs),
    plain('largest contentful paint', ours, peer, ({ lcpMs }) => lcpMs),
    limited({
      what: 'layout shifts',
      value: middle(ours, shifts),
      limit: 0,
      show: score,
      beside: `client-rendered ${score(middle(peer, shifts))}; ours at worst ${score(Math.max(...all(ours, shifts)))}`,
    }),
    against(`total blocking time, from that paint to ${SLOW_END_MS / 1000} s`, 100, blocking),
    plain('all long tasks, before that paint too', ours, peer, ({ longTasks }) =>
      longTasks.reduce((sum, { durationMs }) => sum + durationMs, 0),
    ),
    plain('React attached to the buttons', ours, peer, ({ attachedMs }) => attachedMs),
    {
      what: "loads that began with 'Loading...'",
      value: `${ours.filter(({ loadingFirst }) => loadingFirst).length} of ${ROUNDS}`,
      beside: 'more than 0: the machine was too busy for a lookup within 200 ms',
    },
  ]
}

export async function measureFastLoad(sites: Sites): Promise<Figure[]> {
  const { ours, peer } = await loads(sites, UNTHROTTLED, FAST_END_MS)
  return [
    plain('greeting in the DOM', ours, peer, ({ greetingMs }) => greetingMs),
    plain('first contentful paint', ours, peer, ({ fcpMs }) => fcpMs),
    plain('largest contentful paint', ours, peer, ({ lcpMs }) => lcpMs),
    plain('React attached to the buttons', ours, peer, ({ attachedMs }) => attachedMs),
  ]
}

/**
 * The page on Slow 4G as a person loads it, who moves the pointer, with the code that tells of opens and without it: by turns, from two
 * servers.
 */
export async function measureOpens(sites: Sites): Promise<Figure[]> {
  const loaded = async (site: Site) => await load(sites, site, SLOW_4G, SLOW_END_MS, asPerson)
  await byTurns(sites, 1, loaded)
  const { ours, peer } = await byTurns(sites, ROUNDS, loaded)
  const blocking = (seen: PageLoad) => totalBlockingMs(seen, SLOW_END_MS)
  const against = (what: string, of: Of, show: (value: number) => string = ms): Figure => ({
    what,
    value: show(middle(ours, of)),
    beside: `without ${show(middle(peer, of))}; ${range(ours, of)}, without ${range(peer, of)}`,
  })
  return [
    against('greeting in the DOM', ({ greetingMs }) => greetingMs),
    against('first contentful paint', ({ fcpMs }) => fcpMs),
    against('largest contentful paint', ({ lcpMs }) => lcpMs),
    against('React attached to the buttons', ({ attachedMs }) => attachedMs),
    against(`total blocking time, from that paint to ${SLOW_END_MS / 1000} s`, blocking),
    against('layout shifts', shifts, score),
  ]
}

/** As a browser that no program drives, so that the page tells of its opening. */
async function asPerson(page: Page) {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver', { value: false }))
  page.once('domcontentloaded', () => void page.mouse.move(200, 200))
}

async function loads(sites: Sites, line: Line, endMs: number) {
  await byTurns(sites, 1, (site) => load(sites, site, UNTHROTTLED, 500))
  return byTurns(sites, ROUNDS, (site) => load(sites, site, line, endMs))
}

async function load(
  { browser }: Sites,
  { url }: Site,
  line: Line,
  endMs: number,
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<PageLoad> {
  const { page, close } = await openPage(browser)
  try {
    await page.addInitScript(observeLoad)
    await prepare(page)
    await throttle(page, line)
    await page.goto(url, { waitUntil: 'commit' })
    // Waiting inside the page would have Playwright compile its own 330 kB there, in the middle of the load.
    await setTimeout(endMs + SPARE_MS)
    const seen = await page.evaluate(() => window.pageLoad)
    if (seen?.greetingMs === undefined || seen.fcpMs === undefined)
      throw new Error(`${url} did not greet within ${endMs} ms: it can't be measured`)
    return seen
  } finally {
    await close()
  }
}

const shifts: Of = (load) => load.shifts
/** Layout shifts are shares of the window. */
const score = (value: number) => (value === 0 ? '0' : value.toFixed(5))

type Of = (load: PageLoad) => number | undefined

const all = (loads: readonly PageLoad[], of: Of) => loads.map((load) => of(load) ?? Number.NaN)
const middle = (loads: readonly PageLoad[], of: Of) => median(all(loads, of))
const range = (loads: readonly PageLoad[], of: Of) =>
  `${ms(Math.min(...all(loads, of)))} to ${ms(Math.max(...all(loads, of)))}`
const clientRendered = (peer: readonly PageLoad[], of: Of) => `client-rendered ${ms(middle(peer, of))}`

function plain(what: string, ours: readonly PageLoad[], peer: readonly PageLoad[], of: Of): Figure {
  return { what, value: ms(middle(ours, of)), beside: clientRendered(peer, of) }
}
