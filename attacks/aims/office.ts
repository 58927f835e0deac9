import { type Attack, times } from '../attack.js'
import type { AttackedServer } from '../attacked-server.js'
import type { Target } from '../target.js'

/** So many rows are exported, each with a prompt of this length: more than lies unread between the server and a client, where Linux gives a connection 37 MB. */
const VISITORS = 2_500
const PROMPT_LENGTH = 16_000
/** Asked for, and not read. */
const UNREAD = 20

const keyOf = ({ keys }: AttackedServer) => ({ authorization: `Bearer ${keys.secret}` })

export async function storeVisitors(target: Target): Promise<void> {
  const lines = times(VISITORS).map((place) =>
    JSON.stringify({ slug: `visitor-${place}`, name: 'Ann', system: 'x'.repeat(PROMPT_LENGTH) }),
  )
  const stored = await target.ask('127.0.0.1', '/-/office/visitors/import', {
    body: lines.join('\n'),
    headers: keyOf(target),
  })
  if (!stored.ok) throw new Error(`The visitors were not stored: ${await stored.text()}`)
}

/** Begins an export of all visitors, until `leaving`. It is not read. */
export const exported = (target: AttackedServer, leaving: AbortSignal): Promise<Response> =>
  fetch(`${target.url}/-/office/visitors/export`, {
    headers: { 'x-forwarded-for': '203.0.113.7', ...keyOf(target) },
    signal: leaving,
  })

/** Exports of everything, by somebody who may see it. */
export const exportsAtOnce: Attack = {
  aim: 'everybody’s time: twenty exports that are not read, with one key of the operator API',
  bounds: [{ what: 'exports at once', before: '20', most: 2 }],
  async run(target) {
    await storeVisitors(target)
    // Begun, and not read: those that have no turn are answered only when one is free, or refused.
    const leaving = new AbortController()
    let begun = 0
    const unread = times(UNREAD).map(() =>
      exported(target, leaving.signal).then(
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
    return [most]
  },
}
