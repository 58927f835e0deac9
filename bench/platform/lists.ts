import type { Answer } from '../backend/connection.js'
import { type FilledHeyline, PRIVATE_KEY } from '../backend/filled-heyline.js'
import { run } from '../backend/load.js'
import { get, wrong } from '../backend/questions.js'
import { any } from '../office/asked.js'
import { limited } from '../report/limit.js'
import { type Figure, ms } from '../report/table.js'
import { ASSISTANTS, assistantOf, CUSTOMERS, numberOf } from './past-calls.js'

const AT_ONCE = 50
const LIMIT_MS = 100
/** How long each list is asked for, before it is measured and while it is. */
const WARM_MS = 1_000
const MEASURED_MS = 4_000

/** What is listed: each time it is drawn anew. */
const LISTED: Readonly<Record<string, () => string>> = {
  'the newest calls': () => '/call?limit=20',
  'a page of all calls': () => `/v2/call?limit=20&page=${1 + any(100)}`,
  'metadata of an assistant': () => `/v2/call/metadata?limit=20&assistantId=${assistantOf(any(ASSISTANTS))}`,
  'calls of a number': () => `/v2/call?limit=20&number=${encodeURIComponent(numberOf(any(CUSTOMERS)))}`,
  'calls of a name': () => `/v2/call?limit=20&name=${encodeURIComponent(`Customer ${any(CUSTOMERS)}`)}`,
}

/** Lists of 20 of 100,000 calls. */
export async function lists(server: FilledHeyline): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [what, pathOf] of Object.entries(LISTED)) {
    const ask = (forMs: number) =>
      run(server.url, { connections: AT_ONCE, ms: forMs, question: () => listOf(server, pathOf()) })
    // At first nothing is prepared.
    await ask(WARM_MS)
    const { p50, p99, perSecond } = await ask(MEASURED_MS)
    figures.push(
      limited({
        what: `p99 of ${what}, ${AT_ONCE} at once`,
        value: p99,
        limit: LIMIT_MS,
        show: ms,
        beside: `p50 ${ms(p50)}, ${Math.round(perSecond)} a second`,
      }),
    )
  }
  return figures
}

function listOf(server: FilledHeyline, path: string) {
  const whole = `/-/platform${path}`
  return {
    request: get(server, whole, { accept: 'application/json', authorization: `Bearer ${PRIVATE_KEY}` }),
    check: ({ status, body }: Answer) => {
      // Each list finds something.
      if (status !== 200 || !body.includes('"id":"')) throw wrong(whole, status, body)
      return true
    },
  }
}
