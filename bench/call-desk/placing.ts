import { setTimeout as delay } from 'node:timers/promises'
import { numberOf } from '../../apps/server/src/testing/call-requests.js'
import type { Database } from '../backend/filled-heyline.js'
import { run } from '../backend/load.js'
import { limited } from '../report/limit.js'
import { type Figure, ms, quantile } from '../report/table.js'
import { MeasuredDesk } from './measured-desk.js'
import { callRequest } from './wire.js'

const PER_SECOND = 20
const CONNECTIONS = 20
const WARM_UP_MS = 3_000
const MEASURED_MS = 30_000

/** From the webhook's answer to the platform's being asked, and how long the webhook takes, at 20 requests a second. */
export async function measurePlacing(database: Database): Promise<Figure[]> {
  const accepted = new Map<string, number>()
  const dialled = new Map<string, number>()
  const desk = await MeasuredDesk.start(database, ({ number }, at) => dialled.set(number, at))
  let asked = 0
  const load = (forMs: number) =>
    run(desk.url, {
      connections: CONNECTIONS,
      ms: forMs,
      perSecond: PER_SECOND,
      question: () => {
        const phone = numberOf(asked++)
        return callRequest(phone, () => accepted.set(phone, performance.now()))
      },
    })
  try {
    await load(WARM_UP_MS)
    await allDialled(accepted, dialled)
    accepted.clear()
    const answers = await load(MEASURED_MS)
    await allDialled(accepted, dialled)
    const waits = [...accepted].map(([phone, at]) => Math.max(0, (dialled.get(phone) ?? Number.NaN) - at))
    return [
      limited({
        what: "webhook's answer, p99",
        value: answers.p99,
        limit: 50,
        show: ms,
        beside: `p50 ${ms(answers.p50)}; ${answers.perSecond.toFixed(0)} requests/s, ${waits.length} in all`,
      }),
      limited({ what: 'accepted → dialled, p50', value: quantile(waits, 0.5), limit: 20, show: ms }),
      limited({ what: 'accepted → dialled, p99', value: quantile(waits, 0.99), limit: 1000, show: ms }),
    ]
  } finally {
    await desk.stop()
  }
}

/** Those that never are have no time, which no limit allows. */
async function allDialled(accepted: ReadonlyMap<string, number>, dialled: ReadonlyMap<string, number>) {
  for (const deadline = performance.now() + 15_000; performance.now() < deadline; await delay(10))
    if ([...accepted.keys()].every((phone) => dialled.has(phone))) return
}
