import { RestError } from '../../errors/rest-error.js'
import { contentType, type Shape } from '../request/media-type.js'
import { appliedPreferences } from '../request/preferences.js'
import type { RestRequest } from '../request/rest-request.js'

/** What Postgres said. */
export interface Outcome {
  /** Rows as JSON text; null where they are not wanted. */
  body: string | null
  /** How many those are, or would be. */
  returned: number
  /** How many match in all; null when not counted. */
  total: number | null
  /** How many rows of an upsert that merges were new; null for all else. */
  inserted?: number | null
  /** The first inserted row's key, where it is wanted: names and values. */
  location?: [string, string | null][] | null
  /** What a called function returns: nothing, one thing, or a list like a table's. */
  result?: 'nothing' | 'one' | 'list'
}

/** The answer to a request that went well. Throws a `RestError` where it does not keep to what the request wants. */
export function answer(request: RestRequest, outcome: Outcome): Response {
  const { preferences, shape } = request
  const { returned } = outcome
  if (shape === 'object' && returned !== 1 && (outcome.result ?? 'list') === 'list')
    throw new RestError('PGRST116', { details: `The result contains ${returned} rows` })
  if (request.action === 'update' || request.action === 'delete' || request.action === 'call')
    checkAffected(preferences.maxAffected, outcome)
  const headers = new Headers()
  const applied = appliedPreferences(preferences, request.action)
  if (applied !== '') headers.set('preference-applied', applied)
  return request.action === 'read' || request.action === 'call'
    ? rowsAnswer(request, outcome, headers)
    : writeAnswer(request, outcome, headers)
}

type Rows = Extract<RestRequest, { action: 'read' | 'call' }>

function rowsAnswer({ head, page, shape }: Rows, outcome: Outcome, headers: Headers): Response {
  const { body, returned, total, result } = outcome
  const { offset } = page
  if (total !== null && offset > total) throw outOfBounds(offset, total)
  headers.set('content-range', contentRange(offset, returned, total))
  // What one header shows must not be kept for another.
  headers.set('cache-control', 'private, no-store')
  headers.set('vary', 'x-visitor-slug')
  if (result === 'nothing') return new Response(null, { status: 204, headers })
  headers.set('content-type', contentType(shape))
  const status = total !== null && returned < total ? 206 : 200
  if (head) return new Response(null, { status, headers })
  if (result === 'one' && returned === 0) return new Response('null', { status, headers })
  return new Response(result === 'one' ? alone(body) : shaped(body, shape), { status, headers })
}

type Write = Exclude<RestRequest, Rows>

function writeAnswer(request: Write, outcome: Outcome, headers: Headers): Response {
  const { action, name, preferences, shape } = request
  const { body, returned } = outcome
  const all = preferences.count === undefined ? null : returned
  const shown = preferences.return === 'representation'
  headers.set('content-range', contentRange(0, action === 'update' ? returned : 0, all))
  if (shown) headers.set('content-type', contentType(shape))
  if (outcome.location) headers.set('location', location(name, outcome.location))
  return new Response(shown ? shaped(body, shape) : null, { status: writeStatus(request, outcome), headers })
}

function writeStatus({ action, preferences }: Write, { inserted }: Outcome): number {
  if (action !== 'insert') return preferences.return === 'representation' ? 200 : 204
  // Where rows were merged and none was new, nothing was created.
  return preferences.resolution === 'merge-duplicates' && inserted === 0 ? 200 : 201
}

function shaped(body: string | null, shape: Shape): string {
  return shape === 'array' ? (body ?? '[]') : alone(body)
}

/** One row stands alone in the list that Postgres wrote. */
function alone(body: string | null): string {
  return (body ?? '[]').slice(1, -1)
}

function checkAffected(most: number | undefined, { returned, result = 'list' }: Outcome): void {
  if (most === undefined) return
  if (result !== 'list') throw new RestError('PGRST128')
  if (returned > most) throw new RestError('PGRST124', { details: `The query affects ${returned} rows` })
}

function outOfBounds(offset: number, total: number): RestError {
  return new RestError('PGRST103', {
    details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
    headers: { 'content-range': `*/${total}` },
  })
}

/** `Content-Range`: the first and last row of the answer and the number of all, `*` for what is not there or not known. */
export function contentRange(offset: number, returned: number, total: number | null): string {
  const rows = returned > 0 && total !== 0 ? `${offset}-${offset + returned - 1}` : '*'
  return `${rows}/${total ?? '*'}`
}

/** `Location` of an inserted row: its table, and filters on its key, as PostgREST writes it. */
export function location(table: string, key: readonly [string, string | null][]): string {
  const filters = key.map(([name, value]) => {
    const operation = value === null ? 'is.null' : `eq.${value}`
    return `${encodeURIComponent(name)}=${encodeURIComponent(operation)}`
  })
  return `/${encodeURIComponent(table)}?${filters.join('&')}`
}
