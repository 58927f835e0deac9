import { boundedParts } from '@heyline/database'

/** So many rows of a list are read at a time, and as many bytes where it is more than one row: calls go on meanwhile. */
const PART = { rows: 20, bytes: 500_000 }

export interface RowKey {
  id: string
  /** Of the row. */
  bytes: number
}

/** The rows that are read together, in this order. */
export const rowParts = <Key extends RowKey>(keys: readonly Key[]): Generator<Key[]> =>
  boundedParts(keys, PART)
