import { hasCome } from '@heyline/kit/stored-time'

/** Two tabs refresh at the same time: a refresh token that was used is good for so long, in ms. */
const REUSE_MS = 10_000

/** What `refresh` has to know of a session. */
export interface Refreshed {
  user_id: string
  email: string | null
  banned_until: Date | null
  refresh_counter: number
  refresh_floor: number
  /** When each of the last refresh tokens was used, in ms. */
  refresh_uses: Record<string, number>
  refreshed_at: Date
  updated_at: Date
}

/** Whether something was done a moment ago. */
export const isLately = (at: number, now: number): boolean => now - at <= REUSE_MS && hasCome(at, now)

/**
 * What becomes of a refresh token: it is `current`; it was used `again` a moment ago; it is too `late` for it, since the second factor was given
 * a moment ago; or somebody uses what somebody else has used.
 */
export function fateOf(counter: number, row: Refreshed, now: number): 'current' | 'again' | 'late' | 'theft' {
  if (counter === row.refresh_counter) return 'current'
  const usedAt = row.refresh_uses[counter]
  if (usedAt !== undefined && isLately(usedAt, now)) return 'again'
  const isBelow = counter < row.refresh_floor
  return isBelow && isLately(row.updated_at.getTime(), now) ? 'late' : 'theft'
}
