import { MIMEType } from 'node:util'

/** Parts of a form: the 25 recordings of a voice, and the fields beside them. */
export const MOST_PARTS = 40
/** Bytes of what stands before a part's content: names of 255 letters of any script, written with percent signs, fit in. */
export const MOST_HEADER_BYTES = 4_000
/** RFC 2046, section 5.1.1. */
const LONGEST_BOUNDARY = 70

const LINE_END = Buffer.from('\r\n')
const HEADER_END = Buffer.from('\r\n\r\n')

/** What stands between the parts of a form, as its `content-type` says; undefined where it names none of 1 to 70 characters. */
export function boundaryOf(type: string): string | undefined {
  try {
    const boundary = new MIMEType(type).params.get('boundary') ?? ''
    return /^[ !#-[\]-~]*[!#-[\]-~]$/.test(boundary) && boundary.length <= LONGEST_BOUNDARY
      ? boundary
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Says whether a multipart form has too many parts, or a part with too long a header; undefined where it has neither. The parser of Node
 * takes a form in one go, and each part costs it as much as very many bytes. Whatever it may take for the beginning of a part counts.
 */
export function formExcess(bytes: Uint8Array, boundary: string): 'parts' | 'header' | undefined {
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const delimiter = Buffer.from(`--${boundary}`)
  let count = 0
  for (let at = form.indexOf(delimiter); at >= 0; at = form.indexOf(delimiter, at + 1)) {
    count += 1
    // One more ends the form.
    if (count > MOST_PARTS + 1) return 'parts'
    if (isHeaderTooLong(form, at + delimiter.length)) return 'header'
  }
  return undefined
}

/** The header begins with the end of the delimiter's line. Where that is none, the parser reads no further. */
function isHeaderTooLong(form: Buffer, at: number): boolean {
  const longest = form.subarray(at, at + LINE_END.length + MOST_HEADER_BYTES + HEADER_END.length)
  if (!longest.subarray(0, LINE_END.length).equals(LINE_END)) return false
  const isCut = at + longest.length < form.length
  return isCut && !longest.includes(HEADER_END)
}
