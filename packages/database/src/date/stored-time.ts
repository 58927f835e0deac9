/** In SQL: by how much the clock of another process may be ahead. */
const AHEAD = "interval '1 minute'"

/**
 * In SQL: a time that has come, as far as clocks agree. What a clock stored that ran further ahead counts in no window: there it would count until
 * the time has caught up, days perhaps, and nobody could call.
 */
export const hasCome = (time: string): string => `${time} <= now() + ${AHEAD}`

/** In SQL: a time within a window that ends now. */
export const isWithin = (time: string, windowMs: number): string =>
  `${time} > now() - interval '${windowMs} milliseconds' and ${hasCome(time)}`

/**
 * In SQL: a time to wait for that is further away than anybody waits. A clock that ran ahead and has been put right stored it.
 * `longest` is in ms, or an interval of SQL.
 */
export const isTooFar = (time: string, longest: number | string): string =>
  `${time} > now() + ${typeof longest === 'number' ? `interval '${longest} milliseconds'` : longest} + ${AHEAD}`

/** In SQL: a time to wait for is over: it has come, or is further away than `longest`, as if it had come. */
export const isOver = (time: string, longest: number | string): string =>
  `(${time} <= now() or ${isTooFar(time, longest)})`
