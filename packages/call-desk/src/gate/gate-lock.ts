/**
 * Takes the lock under which the gate decides and a request is stored: one of all processes at a time, until its transaction ends. An SQL
 * expression. The migration's `reserve_spend` takes the same.
 */
export const gateLock = 'pg_advisory_xact_lock(1212763468, 1)'
