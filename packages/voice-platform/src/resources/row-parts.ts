/** So many rows of a list are read at a time, and as many bytes where it is more than one row: calls go on meanwhile. */
const PART = { rows: 20, bytes: 500_000 }

export interface RowKey {
  id: string
  /** Of the row. */
  bytes: number
}

/** The rows that are read together, in this order. */
export function* rowParts<Key extends RowKey>(keys: readonly Key[]): Generator<Key[], void> {
  let part: Key[] = []
  let bytes = 0
  for (const key of keys) {
    if (part.length === PART.rows || (part.length > 0 && bytes + key.bytes > PART.bytes)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(key)
    bytes += key.bytes
  }
  if (part.length > 0) yield part
}
