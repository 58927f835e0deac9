/**
 * An SQL expression that takes the lock of the visitors' totals until the transaction ends: a reset and the removal of old requests come
 * one after the other, so that no call from before a reset is counted after it.
 */
export const SLUG_TOTALS_LOCK = 'pg_advisory_xact_lock(1212763468, 2)'

/** In SQL: the calls of the asking visitor that are no longer among the requests, since the last reset. */
export const totalOf = (kind: 'phone' | 'web'): string =>
  `coalesce((select t.calls from call_desk.slug_totals t where t.slug = asked.slug and t.kind = '${kind}'), 0)`
