import type { Queryable } from '@heyline/database'
import type { Caller } from '../../keys/caller.js'
import { SCHEMA } from '../request/rest-request.js'
import { RestError } from '../rest-error.js'
import { quoteIdentifier } from './identifier.js'
import { Table } from './table.js'

/** Headers that prove who asks: no policy needs to see them. */
const PRIVATE_HEADERS = new Set(['apikey', 'authorization', 'cookie', 'proxy-authorization'])

/** What policies and functions of the database can learn about the request, as PostgREST tells them. */
export interface Visit {
  caller: Caller
  request: Request
  /** What follows `/rest/v1`. */
  path: string
  table: string
}

const ENTER = `
  select
    set_config('search_path', $1, true),
    set_config('role', $2, true),
    set_config('request.jwt.claims', $3, true),
    set_config('request.method', $4, true),
    set_config('request.path', $5, true),
    set_config('request.headers', $6, true),
    case when $7::boolean then set_config('transaction_read_only', 'on', true) end,
    (
      select json_agg(a.attname order by a.attnum)
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid
      where n.nspname = $8::text and c.relname = $9::text and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and a.attnum > 0 and not a.attisdropped
    ) as columns
`

/**
 * First statement of a request's transaction: takes the caller's role until its end, so that every grant and policy is
 * Postgres's own, and finds the table, all in one round trip.
 */
export async function enter(tx: Queryable, { caller, request, path, table }: Visit): Promise<Table> {
  const { method } = request
  const headers = [...request.headers].filter(([name]) => !PRIVATE_HEADERS.has(name))
  const { rows } = await tx.query<{ columns: string[] | null }>(ENTER, [
    [SCHEMA, 'extensions'].map(quoteIdentifier).join(', '),
    caller.role,
    JSON.stringify(caller.claims),
    method,
    path,
    JSON.stringify(Object.fromEntries(headers)),
    method === 'GET' || method === 'HEAD',
    SCHEMA,
    table,
  ])
  const columns = rows[0]?.columns
  if (columns) return new Table(table, columns)
  throw new RestError('PGRST205', {
    message: `Could not find the table '${SCHEMA}.${table}' in the schema cache`,
  })
}
