import { setTimeout as delay } from 'node:timers/promises'
import { createWebCall, PlainCaller } from '../../e2e/plain-caller.js'
import { limited } from '../report/limit.js'
import type { Figure } from '../report/table.js'
import { InspectedHeyline } from './inspected-heyline.js'

const CALLERS = 100
const MEASURED_MS = 10_000

/** A quiet room: noise of some -60 dB, in one frame of 20 ms. */
const ROOM = Int16Array.from({ length: 320 }, (_, n) => Math.round(40 * Math.sin(n * n)))

/** What a hundred calls cost in which nobody speaks, and every microphone is open. */
export async function measureListening(): Promise<Figure[]> {
  const heyline = await InspectedHeyline.start()
  try {
    const callers = await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        const { webCallUrl } = await createWebCall(heyline.url, heyline.key, {
          firstMessageMode: 'assistant-waits-for-user',
        })
        return PlainCaller.join(webCallUrl, { protocol: 'room.v1', background: ROOM })
      }),
    )
    await delay(2_000)
    const [before, began] = [await heyline.cpuMs(), performance.now()]
    await delay(MEASURED_MS)
    const share = (100 * ((await heyline.cpuMs()) - before)) / (performance.now() - began)
    const listening = callers.filter(({ texts }) =>
      texts.some(({ type }) => type === 'room.listening'),
    ).length
    await Promise.all(callers.map((caller) => caller.leave()))
    return [
      limited({
        what: `${listening} listening calls: processor`,
        value: listening === CALLERS ? share : Number.POSITIVE_INFINITY,
        limit: 25,
        show: (percent) => `${percent.toFixed(1)} %`,
        beside: 'of a core, with all of the server in it',
      }),
    ]
  } finally {
    await heyline.stop()
  }
}
