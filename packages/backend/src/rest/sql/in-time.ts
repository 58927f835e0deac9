import type { DatabaseError } from '@heyline/database'

/** Nobody sets it, so that asking for it is an error that has this name in it. */
const OUT_OF_TIME = 'heyline.out_of_time'

/**
 * A condition that is true for so many ms after the statement began, and an error from then on. A statement that asks it for each row
 * ends itself: PGlite has no other way to end one but to be opened again.
 */
export const inTime = (ms: number): string =>
  `case when clock_timestamp() < statement_timestamp() + interval '${Math.ceil(ms)} ms' then true` +
  // It stands with the clock's text, or the planner would ask for it beforehand.
  ` else current_setting(to_char(clock_timestamp(), '"${OUT_OF_TIME}"')) is null end`

/** `sql` where there is time left for it. What stands in a CASE is never evaluated before its condition. */
export const guarded = (sql: string, ms: number): string =>
  ms === Number.POSITIVE_INFINITY ? sql : `case when ${inTime(ms)} then ${sql} end`

/** Whether a statement ended itself. */
export const isOutOfTime = ({ code, message }: DatabaseError): boolean =>
  code === '42704' && message.includes(OUT_OF_TIME)
