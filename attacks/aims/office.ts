import { type Attack, times } from '../attack.js'

/** So many rows are exported, each with a prompt of this length: more than lies unread between the server and a client. */
const VISITORS = 2_500
const PROMPT_LENGTH = 6_000
/** Asked for, and not read. */
const UNREAD = 20

/** Exports of everything, by somebody who may see it. */
export const exportsAtOnce: Attack = {
  aim: 'everybody’s time: twenty exports that are not read, with one key of the operator API',
  bounds: [{ what: 'exports at once', before: '20', most: 2 }],
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
    return [most]
  },
}
