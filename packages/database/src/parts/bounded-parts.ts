/** Parts of so many rows at most, and of so many bytes unless a single row has more. */
export function* boundedParts<Row extends { bytes: number }>(
  all: Iterable<Row>,
  most: { rows: number; bytes: number },
): Generator<Row[]> {
  let part: Row[] = []
  let held = 0
  for (const row of all) {
    if (part.length === most.rows || (part.length > 0 && held + row.bytes > most.bytes)) {
      yield part
      part = []
      held = 0
    }
    part.push(row)
    held += row.bytes
  }
  if (part.length > 0) yield part
}
