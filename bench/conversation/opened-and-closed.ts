import { setTimeout as delay } from 'node:timers/promises'
import { createWebCall, PlainCaller } from '../../e2e/plain-caller.js'
import { megabytes } from '../backend/memory.js'
import { limited } from '../report/limit.js'
import type { Figure } from '../report/table.js'
import { InspectedHeyline } from './inspected-heyline.js'

const CALLS = 500
const AT_ONCE = 10
/** Calls before the first look: code is compiled, and pools are filled, once. */
const WARM_UP = 200
/** What closed calls may leave for a moment: connections that are kept for the next request. */
const SETTLE_MS = 7_000

/** What five hundred calls that were opened, spoken in and closed leave behind in the server's process. */
export async function measureOpenedAndClosed(): Promise<Figure[]> {
  const heyline = await InspectedHeyline.start()
  try {
    await openAndClose(heyline, WARM_UP)
    const before = await look(heyline)
    await openAndClose(heyline, CALLS)
    const after = await look(heyline)
    const left = Object.entries(after.handles).filter(([kind, count]) => count > (before.handles[kind] ?? 0))
    return [
      limited({
        what: `${CALLS} calls opened and closed: memory, to what it was before`,
        value: (100 * after.bytes) / before.bytes,
        limit: 105,
        show: (percent) => `${percent.toFixed(1)} %`,
        beside: `${megabytes(before.bytes)} → ${megabytes(after.bytes)}`,
      }),
      limited({
        what: `${CALLS} calls opened and closed: handles left open`,
        value: left.reduce((sum, [kind, count]) => sum + count - (before.handles[kind] ?? 0), 0),
        limit: 0,
        show: String,
        beside: left.map(([kind, count]) => `${kind} ${before.handles[kind] ?? 0} → ${count}`).join(', '),
      }),
    ]
  } finally {
    await heyline.stop()
  }
}

async function look(heyline: InspectedHeyline) {
  await delay(SETTLE_MS)
  return { bytes: await heyline.residentBytes(), handles: await heyline.handles() }
}

async function openAndClose({ url, key }: InspectedHeyline, calls: number): Promise<void> {
  let left = calls
  const callOn = async () => {
    for (; left > 0; ) {
      left -= 1
      const { webCallUrl } = await createWebCall(url, key, { firstMessage: 'Hello there.' })
      const caller = await PlainCaller.join(webCallUrl)
      while (caller.frames.length === 0) await delay(10)
      caller.tell({ type: 'hangup' })
      await caller.closed
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, callOn))
}
