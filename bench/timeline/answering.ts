import { numberOf } from '../../apps/server/src/testing/call-requests.js'
import { run } from '../backend/load.js'
import { MeasuredDesk } from '../call-desk/measured-desk.js'
import { callRequest } from '../call-desk/wire.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'

const PER_SECOND = 20
const ROUND_MS = 5_000
const ROUNDS = 5
/** Of the answer's time without the timeline. */
const MOST = 1.1
/** Nothing of calls is told any more. */
const UNTOLD = `
  alter table call_desk.call_requests disable trigger call_requests_tell_added;
  alter table call_desk.call_requests disable trigger call_requests_tell_changed`

/** The webhook's answer at 20 requests a second on PGlite: with the timeline, and where nothing is told, by turns. */
export async function measureAnswering(): Promise<Figure[]> {
  const told = await MeasuredDesk.start('PGlite')
  const untold = await MeasuredDesk.start('PGlite')
  let asked = 0
  const p50 = async (desk: MeasuredDesk) =>
    (
      await run(desk.url, {
        connections: PER_SECOND,
        ms: ROUND_MS,
        perSecond: PER_SECOND,
        question: () => callRequest(numberOf(asked++), () => {}),
      })
    ).p50
  try {
    // Both are started anew.
    await told.killed()
    await untold.killed((db) => db.exec(UNTOLD))
    const taken: [number[], number[]] = [[], []]
    for (let round = 0; round <= ROUNDS; round += 1) {
      const both = [await p50(told), await p50(untold)] as const
      if (round > 0) for (const [at, value] of both.entries()) taken[at]?.push(value)
    }
    const [withIt, without] = [median(taken[0]), median(taken[1])]
    return [
      limited({
        what: "webhook's answer, p50",
        value: withIt / without,
        limit: MOST,
        show: (ratio) => `${ratio.toFixed(2)} ×`,
        beside: `${ms(withIt)} and, without the timeline, ${ms(without)}`,
      }),
    ]
  } finally {
    await told.stop()
    await untold.stop()
  }
}
