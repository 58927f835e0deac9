/** Bytes of a file, both ends included. */
export interface ByteRange {
  first: number
  last: number
}

/** The one range that a `Range` header asks for. Undefined: all of it, as for a header that asks for several or that nobody understands (RFC 9110, 14.2). */
export function rangeOf(header: string | null, length: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from === '') {
    const most = Math.min(Number(to), length)
    return most === 0 ? 'unsatisfiable' : { first: length - most, last: length - 1 }
  }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return undefined
  if (first >= length) return 'unsatisfiable'
  return { first, last: to === '' ? length - 1 : Math.min(Number(to), length - 1) }
}
