import { type Attack, times } from '../attack.js'
import type { Target } from '../target.js'

/** So many rows are exported, each with a prompt of this length: more than lies unread between the server and a client. */
const VISITORS = 2_500
const PROMPT_LENGTH = 3_000
/** Asked for and not read, and asked for again and again. */
const UNREAD = 20
const AGAIN = 4

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** How long a visitor waits for the page, in ms: the median of forty. */
async function pageTime(target: Target): Promise<number> {
  const waits: number[] = []
  for (const place of times(40)) {
    const from = performance.now()
    await target.page(`198.51.100.${place + 1}`)
    waits.push(performance.now() - from)
  }
  return median(waits)
}

/** Exports of everything, again and again, by somebody who may see it. */
export const exportsAtOnce: Attack = {
  aim: 'everybody’s time: twenty exports that are not read, and four again and again, with one key of the operator API',
  bounds: [
    { what: 'exports at once', before: '20', most: 2 },
    { what: 'times as long as a page takes else', before: '10', most: 8 },
  ],
  async run(target) {
    const headers = { authorization: `Bearer ${target.keys.secret}` }
    const lines = times(VISITORS).map((place) =>
      JSON.stringify({ slug: `page-${place}`, name: 'Ann', system: 'x'.repeat(PROMPT_LENGTH) }),
    )
    const stored = await target.ask('127.0.0.1', '/-/office/visitors/import', {
      body: lines.join('\n'),
      headers,
    })
    if (!stored.ok) throw new Error(`The visitors were not stored: ${await stored.text()}`)
    const ask = (signal?: AbortSignal) =>
      fetch(`${target.url}/-/office/visitors/export`, {
        headers: { 'x-forwarded-for': '203.0.113.7', ...headers },
        ...(signal && { signal }),
      })
    await pageTime(target)
    const calm = await pageTime(target)
    // Begun, and not read: those that have no turn are answered only when one is free, or refused.
    const leaving = new AbortController()
    let begun = 0
    const unread = times(UNREAD).map(() =>
      ask(leaving.signal).then(
        ({ status }) => {
          if (status === 200) begun += 1
        },
        () => undefined,
      ),
    )
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const most = begun
    leaving.abort()
    await Promise.all(unread)
    let isOver = false
    const flood = times(AGAIN).map(async () => {
      while (!isOver) await ask().then((answer) => answer.arrayBuffer())
    })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const busy = await pageTime(target)
    isOver = true
    await Promise.all(flood)
    return [most, busy / calm]
  },
}
