/**
 * SQL expressions that take the lock of erased visitors until the transaction ends: who erases has it alone, who stores opens shares it. So no
 * open is stored by who looked before the visitor was erased.
 */
export const ERASING = 'pg_advisory_xact_lock(1212763468, 4)'
export const STORING_OPENS = 'pg_advisory_xact_lock_shared(1212763468, 4)'
