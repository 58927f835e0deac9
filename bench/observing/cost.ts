import { openCollector } from '../../apps/server/src/testing/collector.js'
import { spoken } from '../../e2e/spoken.js'
import { converse } from '../conversation/at-once.js'
import { type CpuProfile, InspectedHeyline } from '../conversation/inspected-heyline.js'
import { limited } from '../report/limit.js'
import type { Figure } from '../report/table.js'

const CALLERS = 50
/** Prometheus asks every 15 s; here more often. */
const SCRAPE_MS = 5_000
const LIMIT_PERCENT = 2

/** Whose time it is: the server's own code for it, and the libraries that only it uses. */
const OURS =
  /\/server\/dist\/(metrics|observing|tracing)\/|\/kit\/dist\/trace\/|\/(prom-client|tdigest|@opentelemetry)\//
/** What works for whoever calls it. */
const FOR_ITS_CALLER = /^$|^node:|\/node_modules\/(pino|sonic-boom|fast-redact|safe-stable-stringify)\//

/** Fifty conversations with everything on: metrics that are read, a line for each answer, and a collector of traces. */
export async function measureObserving(): Promise<Figure[]> {
  const collector = await openCollector()
  const heyline = await InspectedHeyline.start({
    ACCESS_LOG: 'on',
    METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  })
  try {
    const question = await spoken('When are you open on Saturday?')
    await converse(heyline, question)
    const scrape = async () => {
      const answer = await fetch(`${heyline.url}/-/metrics`, {
        headers: { authorization: `Bearer ${heyline.secretKey}` },
      })
      return (await answer.text()).length
    }
    let scrapes = 0
    const scraping = setInterval(
      () => void scrape().then((length) => (scrapes += Number(length > 0))),
      SCRAPE_MS,
    )
    const began = performance.now()
    const profile = await heyline.profile(async () => {
      await Promise.all(Array.from({ length: CALLERS }, () => converse(heyline, question)))
    })
    const tookMs = performance.now() - began
    clearInterval(scraping)
    const { ours, busy } = timesOf(profile)
    const turns = collector.spans.filter(({ name }) => name === 'turn').length
    return [
      limited({
        what: `${CALLERS} conversations: processor for metrics, access log and traces`,
        value: scrapes > 0 ? (100 * ours) / tookMs : Number.POSITIVE_INFINITY,
        limit: LIMIT_PERCENT,
        show: (percent) => `${percent.toFixed(2)} %`,
        beside: `of a core; the main thread is busy for ${((100 * busy) / tookMs).toFixed(0)} %; read ${scrapes} times, ${turns} turns at the collector so far`,
      }),
    ]
  } finally {
    await heyline.stop()
    collector.close()
  }
}

/** Milliseconds of ours, and of all that is not idle. A sample belongs to the innermost call that works for itself. */
function timesOf({ nodes, samples, timeDeltas }: CpuProfile): { ours: number; busy: number } {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const whose = new Map<number, string>()
  const fileOf = (id: number): string => {
    const known = whose.get(id)
    if (known !== undefined) return known
    const url = byId.get(id)?.callFrame.url ?? ''
    const parent = parents.get(id)
    const file = FOR_ITS_CALLER.test(url) && parent !== undefined ? fileOf(parent) : url
    whose.set(id, file)
    return file
  }
  let ours = 0
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const ms = (timeDeltas[index] ?? 0) / 1000
    if (byId.get(id)?.callFrame.functionName !== '(idle)') busy += ms
    if (OURS.test(fileOf(id))) ours += ms
  }
  return { ours, busy }
}
