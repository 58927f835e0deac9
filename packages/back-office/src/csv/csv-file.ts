import { Readable } from 'node:stream'
import { inSlices } from '@heyline/kit/loop-turn'

/** Rows as a file of CSV, as they come. */
export function csvFile<Value>(
  header: string,
  parts: AsyncIterable<Value[]>,
  rowOf: (value: Value) => string,
): ReadableStream<Uint8Array> {
  async function* texts() {
    yield header
    for await (const part of inSlices(parts)) yield part.map(rowOf).join('')
  }
  return bodyOfTexts(texts())
}

/** Texts as a body. Of those that nobody has read yet, one or two are there: they may be megabytes. */
export function bodyOfTexts(texts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  async function* bytes() {
    for await (const text of texts) yield Buffer.from(text)
  }
  return Readable.toWeb(Readable.from(bytes(), { highWaterMark: 1 })) as ReadableStream<Uint8Array>
}
