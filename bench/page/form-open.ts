import { openPage } from '../browser/bench-page.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'
import { type Line, SLOW_PROCESSOR, throttle, UNTHROTTLED } from './line.js'
import { byTurns, type Site, type Sites } from './site.js'

const ROUNDS = 7
/** The chunks are fetched at idle; on a page that rests for so long they are there. */
const REST_MS = 500

declare global {
  interface Window {
    formOpenMs?: Promise<number>
  }
}

/**
 * The first press on 'Call Me' of a page that has come to rest: from the click event's own time to the end of the
 * frame that painted the phone field.
 */
export async function measureFormOpen(sites: Sites): Promise<Figure[]> {
  const fast = await byTurns(sites, ROUNDS, (site) => formOpenMs(sites, site, UNTHROTTLED))
  const slow = await byTurns(sites, ROUNDS, (site) => formOpenMs(sites, site, SLOW_PROCESSOR))
  return [
    limited({
      what: `press → phone field painted (median of ${ROUNDS})`,
      value: median(fast.ours),
      limit: 50,
      show: ms,
      beside: `client-rendered ${ms(median(fast.peer))}`,
    }),
    {
      what: 'the same with a processor 4 times slower',
      value: ms(median(slow.ours)),
      beside: `client-rendered ${ms(median(slow.peer))}`,
    },
  ]
}

async function formOpenMs({ browser }: Sites, { url }: Site, line: Line): Promise<number> {
  const { page, close } = await openPage(browser, { reducedMotion: 'reduce' })
  try {
    await page.goto(url)
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(REST_MS)
    await throttle(page, line)
    await page.evaluate(timeOpening)
    await page.getByRole('button', { name: 'Call Me' }).click()
    return Number(await page.evaluate(() => window.formOpenMs))
  } finally {
    await close()
  }
}

/** Runs in the page: `window.formOpenMs` is settled by the next press. */
function timeOpening() {
  window.formOpenMs = new Promise((resolve) => {
    const open = (pressedMs: number) => {
      const field = document.querySelector('input[type=tel]')
      if (!field?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
      // A message that is sent before a frame is painted arrives after it.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now() - pressedMs)
        port2.postMessage(undefined)
      })
      return true
    }
    document.addEventListener(
      'click',
      ({ timeStamp }) => {
        const opening = new MutationObserver(() => {
          if (open(timeStamp)) opening.disconnect()
        })
        opening.observe(document.body, { childList: true, subtree: true })
      },
      { capture: true, once: true },
    )
  })
}
