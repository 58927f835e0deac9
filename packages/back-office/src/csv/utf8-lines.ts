import { isUtf8 } from 'node:buffer'
import type { BadRow } from './csv-records.js'

const NEWLINE = 0x0a
const UTF_16 = ['fffe', 'feff']
const BOM = '\uFEFF'

/**
 * Decodes a file chunk by chunk, without its byte order mark. A line that is not UTF-8 is told to `refused` (its
 * characters that can't be read are replaced, so that what stands behind it can be checked, too).
 */
export async function* decodeUtf8(
  chunks: AsyncIterable<Uint8Array>,
  refused: (row: BadRow) => void,
): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array()
  let line = 1
  let first = true
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    if (first && UTF_16.includes(bytes.subarray(0, 2).toString('hex'))) {
      refused({ line: 1, reason: 'the file is UTF-16: save it as CSV UTF-8' })
      return
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1 // never a part of another character
    rest = bytes.subarray(end)
    if (end === 0) continue
    const text = decoded(bytes.subarray(0, end))
    yield first && text.startsWith(BOM) ? text.slice(1) : text
    first = false
  }
  if (rest.length > 0) {
    const text = decoded(rest)
    yield first && text.startsWith(BOM) ? text.slice(1) : text
  }

  function decoded(bytes: Uint8Array): string {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const valid = isUtf8(buffer)
    for (let at = 0; at < buffer.length; line++) {
      const newline = buffer.indexOf(NEWLINE, at)
      const end = newline < 0 ? buffer.length : newline + 1
      if (!valid && !isUtf8(buffer.subarray(at, end)))
        refused({ line, reason: 'not UTF-8: save the file as CSV UTF-8' })
      at = end
    }
    return buffer.toString('utf8')
  }
}
