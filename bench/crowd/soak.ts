import { setTimeout as delay } from 'node:timers/promises'
import { megabytes } from '../backend/memory.js'
import { InspectedHeyline } from '../conversation/inspected-heyline.js'
import { limited } from '../report/limit.js'
import { type Figure, ms } from '../report/table.js'
import { Crowd } from './crowd.js'
import { assistantOf } from './texts.js'

const PEOPLE = 50
/** Those of them who talk in one call from the beginning to the end. */
const STAYING = 5
const QUESTIONS = 3
const MINUTES = Number(process.env.SOAK_MINUTES ?? 60)
const GROW_MS = 10_000
/** Before the first look: code is compiled, and pools and the speech that is kept are filled. */
const WARM_UP_MS = Math.min(60_000, (MINUTES * 60_000) / 4)
/** What closed calls may leave for a moment: connections that are kept for the next request. */
const SETTLE_MS = 7_000
const MINUTE_MS = 60_000
const GAP_LIMIT_MS = 60
const GROWTH_LIMIT_PERCENT = 10

const WATCH_LOOP = `(() => {
  globalThis.loopDelay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 })
  globalThis.loopDelay.enable()
})()`
/** Milliseconds. */
const LOOP_DELAY = '[globalThis.loopDelay.percentile(99) / 1e6, globalThis.loopDelay.max / 1e6]'

/** Fifty people talk for an hour, or for SOAK_MINUTES: what becomes of their speech, and of the server's process. */
export async function measureSoak(): Promise<Figure[]> {
  const heyline = await InspectedHeyline.start()
  try {
    const warmUp = crowdOf(heyline)
    await warmUp.growTo(PEOPLE, GROW_MS)
    await delay(WARM_UP_MS)
    await warmUp.leave()
    const before = await look(heyline)

    const crowd = crowdOf(heyline)
    await heyline.evaluate(WATCH_LOOP)
    const [began, cpu] = [performance.now(), await heyline.cpuMs()]
    const most = await soak(heyline, crowd)
    const share = ((await heyline.cpuMs()) - cpu) / (performance.now() - began)
    const [late, latest] = Object(await heyline.evaluate(LOOP_DELAY))
    await crowd.leave()
    const after = await look(heyline)

    const during = `${PEOPLE} conversations for ${MINUTES} minutes`
    return [
      limited({
        what: `${during}: frame gap, p99`,
        value: crowd.gaps.quantile(0.99),
        limit: GAP_LIMIT_MS,
        show: ms,
        beside: `of ${crowd.gaps.count} frames; median ${ms(crowd.gaps.quantile(0.5))}, longest ${ms(crowd.gaps.longest)}`,
      }),
      limited({
        what: `${during}: calls cut`,
        value: crowd.cut.length,
        limit: 0,
        show: String,
        beside: [`of ${crowd.calls}`, ...new Set(crowd.cut.slice(0, 3))].join('; '),
      }),
      limited({
        what: `${during}: growth of memory`,
        value: 100 * (after.bytes / before.bytes - 1),
        limit: GROWTH_LIMIT_PERCENT,
        show: (percent) => `${percent.toFixed(1)} %`,
        beside: `${megabytes(before.bytes)} → ${megabytes(after.bytes)} at rest; at most ${megabytes(most)} while they talked`,
      }),
      {
        what: `${during}: open files`,
        value: `${after.files}`,
        beside: `${before.files} before`,
      },
      {
        what: `${during}: event-loop delay, p99`,
        value: ms(late),
        beside: `longest ${ms(latest)}; processor ${(100 * share).toFixed(0)} % of a core`,
      },
    ]
  } finally {
    await heyline.stop()
  }
}

const crowdOf = ({ url, key }: InspectedHeyline) =>
  new Crowd({ urls: [url], key, assistantOf: (n) => assistantOf('distinct', n), questions: QUESTIONS })

/** The most that the process had resident at the end of a minute, in bytes. Tells each minute how far it is. */
async function soak(heyline: InspectedHeyline, crowd: Crowd): Promise<number> {
  const end = performance.now() + MINUTES * MINUTE_MS
  await crowd.growTo(PEOPLE, GROW_MS, STAYING)
  let most = 0
  for (let minute = 1; performance.now() < end; minute += 1) {
    await delay(Math.min(MINUTE_MS, end - performance.now()))
    const bytes = Number(await heyline.evaluate('process.memoryUsage.rss()'))
    most = Math.max(most, bytes)
    console.log(
      `minute ${minute}: ${crowd.calls} calls, ${crowd.cut.length} cut, gap p99 ${ms(crowd.gaps.quantile(0.99))}, ${megabytes(bytes)}`,
    )
  }
  return most
}

async function look(heyline: InspectedHeyline) {
  await delay(SETTLE_MS)
  const { files = Number.NaN } = await heyline.handles()
  return { bytes: await heyline.residentBytes(), files }
}
