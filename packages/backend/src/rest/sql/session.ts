import type { Queryable } from '@heyline/database'
import type { VisitorAccess } from '../../access/visitor-access.js'
import { RestError } from '../../errors/rest-error.js'
import type { Caller } from '../../keys/caller.js'
import { SCHEMA } from '../request/rest-request.js'
import { quoteIdentifier } from './statement.js'
import { type Columns, permissionDenied, Table } from './table.js'

/** Headers that prove who asks: no policy needs to see them. */
const PRIVATE_HEADERS = new Set(['apikey', 'authorization', 'cookie', 'proxy-authorization'])

/** What policies and functions of the database can learn about the request, as PostgREST tells them. */
export interface Visit {
  caller: Caller
  request: Request
  /** What follows `/rest/v1`. */
  path: string
  /** The table to find; null for a function call, which finds its function next. */
  table: string | null
  /** Whether its primary key is wanted, too. */
  keyed: boolean
  visitorAccess: VisitorAccess
}

const ENTER = `
  select
    set_config('search_path', $1, true),
    set_config('role', $2, true),
    set_config('request.jwt.claims', $3, true),
    set_config('request.method', $4, true),
    set_config('request.path', $5, true),
    set_config('request.headers', $6, true),
    -- Said in every request, so that nothing else can have said it.
    set_config('heyline.visitor_access', $10, true),
    case when $7::boolean then set_config('transaction_read_only', 'on', true) end,
    (
      select json_object_agg(a.attname, a.atttypid::int8)
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid
      where n.nspname = $8::text and c.relname = $9::text and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and a.attnum > 0 and not a.attisdropped
    ) as columns,
    case when $11::boolean then (
      select json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum))
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_index i on i.indrelid = c.oid and i.indisprimary
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
      where n.nspname = $8::text and c.relname = $9::text
    ) end as key,
    (
      select has_table_privilege($2::text::name, c.oid, 'select, insert, update, delete')
        or has_any_column_privilege($2::text::name, c.oid, 'select, insert, update')
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $8::text and c.relname = $9::text
    ) as allowed
`

/** The table that a request names, as the catalogue has it. */
export interface Found {
  columns: Columns | null
  key: string[] | null
  /** Whether the role has some right on it, or on one of its columns. */
  allowed: boolean | null
}

/**
 * First statement of a request's transaction: takes the caller's role until its end, so that every grant and policy is
 * Postgres's own, and looks the table up, all in one round trip.
 */
export async function enter(
  tx: Queryable,
  { caller, request, path, table, keyed, visitorAccess }: Visit,
): Promise<Found> {
  const { method } = request
  const headers = [...request.headers].filter(([name]) => !PRIVATE_HEADERS.has(name))
  const { rows } = await tx.query<Found>(
    ENTER,
    [
      [SCHEMA, 'extensions'].map(quoteIdentifier).join(', '),
      caller.role,
      JSON.stringify(caller.claims),
      method,
      path,
      JSON.stringify(Object.fromEntries(headers)),
      method === 'GET' || method === 'HEAD',
      SCHEMA,
      table,
      visitorAccess,
      keyed,
    ],
    { prepared: true },
  )
  return rows[0] ?? { columns: null, key: null, allowed: null }
}

/**
 * The table; PostgREST's 404; or Postgres's refusal, said before anybody looks at columns: what a table has that the role may
 * not touch at all must not be told by the difference between its errors.
 */
export function foundTable(
  name: string,
  { columns, key, allowed }: Found,
  hidden: ReadonlySet<string>,
): Table {
  if (columns && !allowed) throw permissionDenied(name)
  if (columns) return new Table(name, columns, { key: key ?? [], hidden })
  throw new RestError('PGRST205', {
    message: `Could not find the table '${SCHEMA}.${name}' in the schema cache`,
  })
}
