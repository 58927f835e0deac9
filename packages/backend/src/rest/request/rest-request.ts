import { RestError } from '../../errors/rest-error.js'
import type { BodyLimits } from './body.js'
import { type Arguments, parseAddressCall, readBodyCall } from './call.js'
import type { Condition } from './condition.js'
import { parseNames } from './field.js'
import { filterParameters, parseFilters } from './filter.js'
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
  /** Of the table, or of the function that is called. */
  name: string
  selection: Selected[]
  shape: Shape
  preferences: Preferences
} & Action

/** Which rows of what was found, and in which order. */
export interface Query {
  filters: Condition[]
  order: Order[]
  page: Page
}

export type Action =
  | ({ action: 'read'; head: boolean } & Query)
  | ({ action: 'call'; head: boolean; args: Arguments } & Query)
  /** `onConflict`: the columns that tell duplicates; null for the primary key. */
  | { action: 'insert'; payload: Payload; onConflict: string[] | null }
  | { action: 'update'; filters: Condition[]; payload: Payload }
  | { action: 'delete'; filters: Condition[] }

/** Refuses an address that is too long, with 414. Throws a `RestError`. */
export function refuseLong(url: string): void {
  if (url.length > URL_LIMIT)
    throw new RestError('PGRST100', { status: 414, message: 'The address is too long' })
}

/** Reads a request; `path` is what follows `/rest/v1`, and `limits` the most that its body may have. Rejects with a `RestError`. */
export async function parseRestRequest(
  request: Request,
  path: string,
  limits: BodyLimits,
): Promise<RestRequest> {
  const { headers, method, url } = request
  const { searchParams: search } = new URL(url)
  const { name, isFunction } = parsePath(path)
  const reads = method === 'GET' || method === 'HEAD'
  checkSchema(headers.get(reads ? 'accept-profile' : 'content-profile') ?? SCHEMA)
  const common = {
    name,
    shape: parseShape(headers.get('accept')),
    preferences: parsePreferences(headers.get('prefer')),
    selection: parseSelection(search.get('select')),
  }
  const parseAction = isFunction ? parseCall : parseTableAction
  const action = await parseAction(request, search, limits)
  return { ...common, ...action }
}

async function parseTableAction(
  request: Request,
  search: URLSearchParams,
  limits: BodyLimits,
): Promise<Action> {
  const { method } = request
  const filters = () => parseFilters(filterParameters(search))
  const columns = parseNames('columns parameter', search.get('columns'))
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { action: 'read', head: method === 'HEAD', filters: filters(), ...parseWindow(request, search) }
    case 'POST': {
      refuseOnWrite(search)
      const onConflict = parseNames('on_conflict parameter', search.get('on_conflict'))
      return { action: 'insert', payload: await readPayload(request, columns, limits), onConflict }
    }
    case 'PATCH': {
      refuseOnWrite(search)
      const found = filters()
      const payload = await readPayload(request, columns, limits)
      if (payload.isArray) throw new RestError('PGRST102', { details: 'An update takes one object' })
      return { action: 'update', filters: found, payload }
    }
    case 'DELETE':
      refuseOnWrite(search)
      return { action: 'delete', filters: filters() }
    case 'PUT':
      throw RestError.notServed('PUT')
    default:
      throw unsupported(method)
  }
}

async function parseCall(request: Request, search: URLSearchParams, limits: BodyLimits): Promise<Action> {
  const { method } = request
  const window = parseWindow(request, search)
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { action: 'call', head: method === 'HEAD', ...parseAddressCall(search), ...window }
    case 'POST': {
      const columns = parseNames('columns parameter', search.get('columns'))
      const filters = parseFilters(filterParameters(search))
      return {
        action: 'call',
        head: false,
        args: await readBodyCall(request, columns, limits),
        filters,
        ...window,
      }
    }
    default:
      throw unsupported(method)
  }
}

function parseWindow({ headers }: Request, search: URLSearchParams): { order: Order[]; page: Page } {
  return { order: parseOrder(search.get('order')), page: parsePage(search, headers.get('range')) }
}

function checkSchema(schema: string): void {
  if (schema === SCHEMA) return
  throw new RestError('PGRST106', {
    message: `Invalid schema: ${schema}`,
    hint: `Only the following schemas are exposed: ${SCHEMA}`,
  })
}

/** Acting on other rows than the request means would be worse than refusing it. */
function refuseOnWrite(search: URLSearchParams): void {
  const found = ['order', 'limit', 'offset'].find((name) => search.has(name))
  if (found) throw RestError.notServed(`${found} on a write`)
}

function unsupported(method: string): RestError {
  return new RestError('PGRST117', { message: `Unsupported HTTP method: ${method}` })
}

/** Reads what follows `/rest/v1`: `/table`, or `/rpc/function`. */
export function parsePath(path: string): { name: string; isFunction: boolean } {
  if (path === '/') throw new RestError('PGRST126')
  const [, rpc, segment] = /^\/(rpc\/)?([^/]+)\/?$/.exec(path) ?? []
  if (segment === undefined) throw new RestError('PGRST125')
  try {
    return { name: decodeURIComponent(segment), isFunction: rpc !== undefined }
  } catch (cause) {
    throw new RestError('PGRST125', { cause })
  }
}
