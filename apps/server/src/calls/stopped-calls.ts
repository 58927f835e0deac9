import type { DeskStatus } from '@heyline/call-desk'

/** What an operator must know of a desk that takes requests and places none. */
export function stoppedCalls({ pausedAt, breaker }: Pick<DeskStatus, 'pausedAt' | 'breaker'>): string[] {
  const remedy = 'none is placed until heyline calls resume'
  return [
    ...(pausedAt ? [`Careful: calls are paused since ${pausedAt}: ${remedy}.`] : []),
    ...(breaker
      ? [
          `Careful: the circuit breaker stopped all calls at ${breaker.at} (${breaker.reason ?? 'no reason'}): ${remedy}; look at heyline calls status first.`,
        ]
      : []),
  ]
}
