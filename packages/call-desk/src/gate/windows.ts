/**
 * In SQL: by how much the clock of another process may be ahead. What was written by a clock that ran further ahead counts in no window: there it
 * would count until the time has caught up, days perhaps, and nobody could call. The ledger alone counts it: money is bounded in any case.
 */
const AHEAD = "interval '1 minute'"

/** In SQL: a time that has come, as far as clocks agree. */
export const hasCome = (time: string): string => `${time} <= now() + ${AHEAD}`

/** In SQL: a time within a window that ends now. */
export const isWithin = (time: string, windowMs: number): string =>
  `${time} > now() - interval '${windowMs} milliseconds' and ${hasCome(time)}`
