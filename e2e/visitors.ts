import type { RunningHeyline } from './running-heyline.js'

/** A visitor as the backend stores it. */
export interface VisitorRow {
  slug: string
  name: string
  first_message?: string
  system?: string
}

/** Stores a test's visitors over the REST wire, in place of those that an earlier test left under their slugs. */
export async function storeVisitors(heyline: RunningHeyline, rows: readonly VisitorRow[]): Promise<void> {
  const { secret } = await heyline.keys()
  const table = `${heyline.url}/-/backend/rest/v1/visitors`
  const slugs = rows.map(({ slug }) => `"${slug}"`).join(',')
  const headers = { apikey: secret, 'content-type': 'application/json' }
  for (const [url, init] of [
    [`${table}?slug=in.(${encodeURIComponent(slugs)})`, { method: 'DELETE', headers }],
    [
      `${table}?columns=slug,name,first_message,system`,
      { method: 'POST', headers, body: JSON.stringify(rows) },
    ],
  ] as const) {
    const answer = await fetch(url, init)
    if (!answer.ok)
      throw new Error(`${init.method} of visitors answered ${answer.status}: ${await answer.text()}`)
  }
}
