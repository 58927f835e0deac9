import { RestError } from '../../errors/rest-error.js'

/** Which rows of all that match: from `offset` on, at most `limit` (null: as many as one answer holds). */
export interface Page {
  offset: number
  limit: number | null
}

/** Reads `limit` and `offset`, and the header `Range: 0-9`. Where both are there, the rows that are in both. */
export function parsePage(search: URLSearchParams, range: string | null): Page {
  const limit = whole('limit', search.get('limit'))
  if (limit !== null && limit < 0)
    throw new RestError('PGRST103', { details: 'Limit should be greater than or equal to zero.' })
  const offset = Math.max(0, whole('offset', search.get('offset')) ?? 0)

  const [, lower, upper] = /^(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (lower === undefined) return { offset, limit }
  const first = Math.min(Number(lower), Number.MAX_SAFE_INTEGER)
  const last = upper ? Math.min(Number(upper), Number.MAX_SAFE_INTEGER) : Number.POSITIVE_INFINITY
  if (last < first)
    throw new RestError('PGRST103', {
      details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    })
  const from = Math.max(offset, first)
  const end = Math.min(limit === null ? Number.POSITIVE_INFINITY : offset + limit, last + 1)
  return { offset: from, limit: Number.isFinite(end) ? Math.max(0, end - from) : null }
}

function whole(name: string, text: string | null): number | null {
  if (text === null) return null
  if (!/^-?\d+$/.test(text)) throw RestError.unreadable(`${name} parameter`, text, 'A whole number is wanted')
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}
