import type { Figure } from './table.js'

/** A figure that has a limit. Value and limit are in the unit that `show` writes. */
export interface Limited {
  what: string
  value: number
  /** The most that the value may be, unless `atLeast` says that it is the least. */
  limit: number
  atLeast?: boolean
  show(value: number): string
  /** What else to read it against. */
  beside?: string
}

/** Figures outside their limits so far, for the last line of a run. */
export const missed: string[] = []

/** The figure beside its limit, marked when it is outside of it. A value that is no number is outside. */
export function limited({ what, value, limit, atLeast = false, show, beside }: Limited): Figure {
  const kept = atLeast ? value >= limit : value <= limit
  if (!kept) missed.push(`${what}: ${show(value)}`)
  const words = [`limit ${atLeast ? '≥' : '≤'} ${show(limit)}`, ...(beside ? [beside] : [])]
  return { what, value: show(value), beside: `${kept ? '' : 'MISSED, '}${words.join('; ')}` }
}
