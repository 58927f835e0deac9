import { RestError } from '../rest-error.js'
import { type Filter, parseFilters } from './filter.js'
import { parseShape, type Shape } from './media-type.js'
import { type Order, parseOrder } from './order.js'
import { type Page, parsePage } from './page.js'
import { type Payload, readPayload } from './payload.js'
import { type Preferences, parsePreferences } from './preferences.js'
import { parseSelection, type Selected } from './selection.js'

/** The one schema that is served. */
export const SCHEMA = 'public'

/** Longest address, in characters: a statement takes 65535 parameters at most. */
const URL_LIMIT = 32_768

/** What a request wants done, read in full before the database is asked. */
export type RestRequest = {
  table: string
  selection: Selected[]
  shape: Shape
  preferences: Preferences
} & Action

export type Action =
  | { action: 'read'; head: boolean; filters: Filter[]; order: Order[]; page: Page }
  | { action: 'insert'; payload: Payload }
  | { action: 'update'; filters: Filter[]; payload: Payload }
  | { action: 'delete'; filters: Filter[] }

/** Reads a request; `path` is what follows `/rest/v1`. Rejects with a `RestError`. */
export async function parseRestRequest(request: Request, path: string): Promise<RestRequest> {
  const { headers, method, url } = request
  if (url.length > URL_LIMIT)
    throw new RestError('PGRST100', { status: 414, message: 'The address is too long' })
  const { searchParams: search } = new URL(url)
  const table = parseTable(path)
  const reads = method === 'GET' || method === 'HEAD'
  checkSchema(headers.get(reads ? 'accept-profile' : 'content-profile') ?? SCHEMA)
  const common = {
    table,
    shape: parseShape(headers.get('accept')),
    preferences: parsePreferences(headers.get('prefer')),
    selection: parseSelection(search.get('select')),
  }
  if (!reads) refuseParameters(search, ['order', 'limit', 'offset', 'on_conflict'])
  switch (method) {
    case 'GET':
    case 'HEAD':
      return {
        ...common,
        action: 'read',
        head: method === 'HEAD',
        filters: parseFilters(search),
        order: parseOrder(search.get('order')),
        page: parsePage(search, headers.get('range')),
      }
    case 'POST':
      return { ...common, action: 'insert', payload: await readPayload(request, search.get('columns')) }
    case 'PATCH': {
      const filters = parseFilters(search)
      const payload = await readPayload(request, search.get('columns'))
      if (payload.isArray) throw new RestError('PGRST102', { details: 'An update takes one object' })
      return { ...common, action: 'update', filters, payload }
    }
    case 'DELETE':
      return { ...common, action: 'delete', filters: parseFilters(search) }
    case 'PUT':
      throw RestError.notServed('PUT')
    default:
      throw new RestError('PGRST117', { message: `Unsupported HTTP method: ${method}` })
  }
}

function parseTable(path: string): string {
  if (path === '/') throw new RestError('PGRST126')
  if (path.startsWith('/rpc/')) throw RestError.notServed('A function call (rpc)')
  const [, segment] = /^\/([^/]+)\/?$/.exec(path) ?? []
  if (segment === undefined) throw new RestError('PGRST125')
  try {
    return decodeURIComponent(segment)
  } catch (cause) {
    throw new RestError('PGRST125', { cause })
  }
}

function checkSchema(schema: string): void {
  if (schema === SCHEMA) return
  throw new RestError('PGRST106', {
    message: `Invalid schema: ${schema}`,
    hint: `Only the following schemas are exposed: ${SCHEMA}`,
  })
}

/** Acting on other rows than the request means would be worse than refusing it. */
function refuseParameters(search: URLSearchParams, names: string[]): void {
  const found = names.find((name) => search.has(name))
  if (found) throw RestError.notServed(`${found} on a write`)
}
