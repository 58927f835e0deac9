import { contentType, type Shape } from '../request/media-type.js'
import type { RestRequest } from '../request/rest-request.js'
import { RestError } from '../rest-error.js'
import { contentRange } from './content-range.js'

/** What Postgres said: rows as JSON text, how many, and how many match in all. */
export interface Outcome {
  body: string | null
  returned: number
  total: number | null
}

/** The answer to a request that went well. Throws a `RestError` where the request wants one row and there is not one. */
export function answer(request: RestRequest, outcome: Outcome): Response {
  const { preferences, shape } = request
  const { body, returned, total } = outcome
  if (shape === 'object' && returned !== 1)
    throw new RestError('PGRST116', { details: `The result contains ${returned} rows` })
  const headers = new Headers()
  if (preferences.applied.length > 0) headers.set('preference-applied', preferences.applied.join(', '))

  if (request.action === 'read') {
    const { offset } = request.page
    if (total !== null && offset > total) throw outOfBounds(offset, total)
    headers.set('content-type', contentType(shape))
    headers.set('content-range', contentRange(offset, returned, total))
    // What one header shows must not be kept for another.
    headers.set('cache-control', 'private, no-store')
    headers.set('vary', 'x-visitor-slug')
    const status = total !== null && returned < total ? 206 : 200
    return new Response(request.head ? null : shaped(body, shape), { status, headers })
  }

  const all = preferences.counted ? returned : null
  const shown = preferences.return === 'representation'
  headers.set('content-range', contentRange(0, request.action === 'update' ? returned : 0, all))
  if (shown) headers.set('content-type', contentType(shape))
  const status = request.action === 'insert' ? 201 : shown ? 200 : 204
  return new Response(shown ? shaped(body, shape) : null, { status, headers })
}

/** One row stands alone in the list that Postgres wrote. */
function shaped(body: string | null, shape: Shape): string {
  const list = body ?? '[]'
  return shape === 'array' ? list : list.slice(1, -1)
}

function outOfBounds(offset: number, total: number): RestError {
  return new RestError('PGRST103', {
    details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
    headers: { 'content-range': `*/${total}` },
  })
}
