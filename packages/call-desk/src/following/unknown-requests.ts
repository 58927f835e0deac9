import type { CallToCheck } from './checks.js'

const minute = 60_000

/** Around the time when its request was sent, by our clock, a call is looked for: the platform's clock may go wrong by that much. */
const earlierMs = 60 * minute
const laterMs = 60 * minute

/** Requests whose calls are looked for together: sent within so many milliseconds. */
const spanMs = 5 * minute

/** A request that the platform knows no call of after this time was not placed. In milliseconds. */
export const notPlacedMs = 10 * minute

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
    if (group && sent - group.from.getTime() - earlierMs <= spanMs) {
      group.requests.push(request)
      group.to = new Date(sent + laterMs)
    } else {
      groups.push({
        requests: [request],
        from: new Date(sent - earlierMs),
        to: new Date(sent + laterMs),
      })
    }
  }
  return groups
}
