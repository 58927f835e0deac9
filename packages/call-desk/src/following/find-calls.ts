import type { Call, PlatformClient } from '@heyline/platform-client'

/** Calls of a page, and most pages of a search. Long calls have tens of thousands of values each, and an answer is read whole. */
export const PAGE_SIZE = 25
const MOST_PAGES = 200

export interface Search {
  /** Names of the calls. */
  names: ReadonlySet<string>
  /** When they were created, at the earliest and at the latest. */
  from: Date
  to: Date
  signal: AbortSignal
}

/**
 * The calls of these names, by name, from the platform's list: `GET /call`, the newest first, page by page until all are found.
 * `isComplete` is false where the list could not be walked to its end: then one that is missing may be there all the same.
 */
export async function findCalls(
  platform: PlatformClient,
  { names, from, to, signal }: Search,
): Promise<{ found: Map<string, Call>; isComplete: boolean }> {
  const found = new Map<string, Call>()
  let before = to
  for (let page = 0; page < MOST_PAGES; page++) {
    const calls = (
      await platform.calls.list({ limit: PAGE_SIZE, createdAtGe: from, createdAtLe: before }, { signal })
    ).slice(0, PAGE_SIZE)
    for (const call of calls) {
      // The first that was made is the one that the request asked for.
      if (call.name !== undefined && names.has(call.name)) found.set(call.name, call)
    }
    if (calls.length < PAGE_SIZE || found.size === names.size) return { found, isComplete: true }
    // The platform may keep its times finer than it shows them.
    const oldest = Math.min(...calls.map(({ createdAt }) => Date.parse(createdAt))) + 1
    if (!(oldest < before.getTime())) break
    before = new Date(oldest)
  }
  return { found, isComplete: false }
}
