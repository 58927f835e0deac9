import { createHash } from 'node:crypto'
import { RecentMap } from '@heyline/kit/recent-map'

/** Most documents that are kept, some 35 kB each. */
const MOST_KEPT = 200

/** Renders a document once for each state, which is all that it says: a person who asks again and again costs a tenth. */
export function keptPages<State>(render: (state: State) => string): (state: State) => Promise<string> {
  const made = new RecentMap<string, string>(MOST_KEPT)
  return async (state) => {
    const key = createHash('sha256').update(JSON.stringify(state)).digest('base64')
    const html = made.get(key) ?? render(state)
    made.set(key, html)
    return html
  }
}
