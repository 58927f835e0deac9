/**
 * In SQL: a row of the ledger that counts in sums. Rows of calls that cost nothing are without number, as anybody makes up calls to us: the index
 * of what has a cost leaves them out.
 */
export const hasCost = (row: string): string => `coalesce(${row}.spent, ${row}.reserved) > 0`
