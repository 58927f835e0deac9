import { Readable } from 'node:stream'
import { inSlices } from '@heyline/kit/loop-turn'

/** Rows as a file of CSV, as they come. */
export function csvFile<Value>(
  header: string,
  parts: AsyncIterable<Value[]>,
  rowOf: (value: Value) => string,
): ReadableStream<Uint8Array> {
  async function* bytes() {
    yield Buffer.from(header)
    for await (const part of inSlices(parts)) yield Buffer.from(part.map(rowOf).join(''))
  }
  return Readable.toWeb(Readable.from(bytes())) as ReadableStream<Uint8Array>
}
