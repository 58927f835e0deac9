import type { CallToCheck } from './checks.js'

const MINUTE = 60_000

/** A call is looked for around the time when its request was sent. The platform's clock may differ from ours by this much. */
const EARLIER_MS = 60 * MINUTE
const LATER_MS = 60 * MINUTE

/** Requests whose calls are looked for together: sent within so many milliseconds. */
const SPAN_MS = 5 * MINUTE

/** A request that the platform knows no call of after this time was not placed. In milliseconds. */
export const NOT_PLACED_MS = 10 * MINUTE

/** Requests sent at about the same time, and when the platform would have created their calls. */
export interface SentTogether {
  requests: CallToCheck[]
  from: Date
  to: Date
}

/** Puts requests together that one look into the platform's list can find. */
export function sentTogether(requests: readonly CallToCheck[]): SentTogether[] {
  const groups: SentTogether[] = []
  for (const request of requests.toSorted((a, b) => a.sentAt.getTime() - b.sentAt.getTime())) {
    const sent = request.sentAt.getTime()
    const group = groups.at(-1)
    if (group && sent - group.from.getTime() - EARLIER_MS <= SPAN_MS) {
      group.requests.push(request)
      group.to = new Date(sent + LATER_MS)
    } else {
      groups.push({
        requests: [request],
        from: new Date(sent - EARLIER_MS),
        to: new Date(sent + LATER_MS),
      })
    }
  }
  return groups
}
