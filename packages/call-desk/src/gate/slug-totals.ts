/**
 * An SQL expression that holds the lock of the visitors' totals until the transaction ends. So a reset and the removal of old requests never
 * overlap, and no call from before a reset is counted after it.
 */
export const SLUG_TOTALS_LOCK = 'pg_advisory_xact_lock(1212763468, 2)'

/** In SQL: the slug by which a row is counted: under which it was admitted, whatever a note named it later. */
export const admittedSlug = (row: string): string => `coalesce(${row}.admitted_slug, ${row}.slug)`

/** In SQL: how many calls of this visitor since the last reset are no longer among the stored requests. */
export const totalOf = (kind: 'phone' | 'web'): string =>
  `coalesce((select t.calls from call_desk.slug_totals t where t.slug = asked.slug and t.kind = '${kind}'), 0)`

/** In SQL: whether a row that was not refused counts for its visitor and among all. A browser call that nobody joined does not. */
export const countsForAll = (row: string): string =>
  `not (${row}.kind = 'web' and ${row}.outcome is not distinct from 'silence' and ${row}.in_progress_at is null)`
