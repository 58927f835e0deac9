import { PostgrestClient } from '@supabase/postgrest-js'
import { VisitorLookupError } from './visitor-lookup-error.js'
import type { VisitorSource } from './visitor-source.js'

/** An HTTP header carries printable ASCII only; for other slugs it is left out. */
const HEADER_SAFE = /^[\x20-\x7e]+$/

/** A read of the visitors table: `columns` of the rows that this source may see. It never retries. */
export function selectVisitors(source: VisitorSource, columns: string) {
  const headers: Record<string, string> = { apikey: source.key, authorization: `Bearer ${source.key}` }
  if (source.header && HEADER_SAFE.test(source.slug)) headers['x-visitor-slug'] = source.slug
  const client = new PostgrestClient(`${source.url}/rest/v1`, {
    headers,
    retry: false,
    ...(source.fetch && { fetch: source.fetch }),
  })
  const read = client.from('visitors').select(columns)
  return source.signal ? read.abortSignal(source.signal) : read
}

/** Runs a read and returns its data; throws `VisitorLookupError` when the answer carries an error or there was none. */
export async function dataOf(read: PromiseLike<{ data: unknown; error: unknown }>): Promise<unknown> {
  const { data, error } = await read
  if (error === null || error === undefined) return data
  throw new VisitorLookupError(
    'read-failed',
    'Reading the visitors table failed; check the backend URL, its key and that it is running.',
    { cause: error },
  )
}
