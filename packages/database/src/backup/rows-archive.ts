import type { RowBatch, RowsEnd } from '../rows/read-rows.js'
import { checkCounts } from '../rows/write-rows.js'
import { packContent } from '../tar/pack.js'
import type { ReadEntry } from '../tar/read-archive.js'

const FOLDER = 'rows/'
const END = 'rows.json'
/** Longest entry that is read, in bytes: many times what is written. */
const ENTRY_MOST = 256_000_000

/** Each batch as an entry of an archive: a line that says of what, and the rows behind it. */
export async function* packRows(batches: AsyncGenerator<RowBatch, RowsEnd>): AsyncGenerator<Uint8Array> {
  let number = 0
  let next = await batches.next()
  for (; !next.done; next = await batches.next()) {
    const { rows, ...head } = next.value
    number += 1
    yield packContent(
      `${FOLDER}${String(number).padStart(8, '0')}.json`,
      `${JSON.stringify(head)}\n${rows}\n`,
    )
  }
  yield packContent(END, `${JSON.stringify(next.value)}\n`)
}

/** The batches that `packRows` wrote. @throws Error where they are not, or some are missing */
export async function* unpackRows(entries: AsyncIterable<ReadEntry>): AsyncGenerator<RowBatch, RowsEnd> {
  const counts: Record<string, number> = {}
  let end: RowsEnd | undefined
  for await (const entry of entries) {
    const text = await entry.text(ENTRY_MOST)
    if (entry.path === END) end = JSON.parse(text)
    else {
      const cut = text.indexOf('\n')
      const { table, columns, count } = JSON.parse(text.slice(0, cut))
      counts[table] = (counts[table] ?? 0) + count
      yield { table, columns, count, rows: text.slice(cut + 1) }
    }
  }
  if (!end) throw new Error(`${END} is missing`)
  checkCounts(counts, end.counts)
  return end
}
