import { PostgrestClient } from '@supabase/postgrest-js'
import { VisitorLookupError } from './visitor.js'
import type { VisitorSource } from './visitor-source.js'

/** How long one read may take before it has failed. */
export const READ_TIMEOUT_MS = 10_000

/** `columns` of the rows that this source may see. It never retries. */
function selectVisitors(source: VisitorSource, columns: string, signal: AbortSignal) {
  const headers: Record<string, string> = { apikey: source.key, authorization: `Bearer ${source.key}` }
  // A header carries ASCII only: the policy decodes it (docs/rest.md).
  if (source.header) headers['x-visitor-slug'] = encodeURIComponent(source.slug)
  const client = new PostgrestClient(`${source.url}/rest/v1`, {
    headers,
    retry: false,
    ...(source.fetch && { fetch: source.fetch }),
  })
  return client.from('visitors').select(columns).abortSignal(signal)
}

type Rows = ReturnType<typeof selectVisitors>
type Answer = PromiseLike<{ data: unknown; error: unknown }>

/**
 * One read of the visitors table: `columns` of the rows that this source may see and `narrow` leaves. Rejects with
 * `VisitorLookupError` when the answer carries an error, there was none in `READ_TIMEOUT_MS`, or the source's signal
 * ended it.
 */
export async function readVisitors(
  source: VisitorSource,
  columns: string,
  narrow: (rows: Rows) => Answer = (rows) => rows,
): Promise<unknown> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), READ_TIMEOUT_MS)
  const signal = source.signal ? AbortSignal.any([source.signal, ending.signal]) : ending.signal
  try {
    const { data, error } = await narrow(selectVisitors(source, columns, signal))
    if (error === null || error === undefined) return data
    throw new VisitorLookupError(
      'read-failed',
      'Reading the visitors table failed; check the backend URL, its key and that it is running.',
      { cause: error },
    )
  } finally {
    clearTimeout(timer)
  }
}
