import type { Queryable } from '@heyline/database'
import type { Page } from '@heyline/platform-client'
import { z } from 'zod'
import {
  type Condition,
  type Equal,
  type ListWindow,
  listWindow,
  unseenNumber,
  whereSql,
} from './list-window.js'

/** What a paginated list can be narrowed by, beside a plain one. */
export interface PageWindow extends ListWindow {
  /** Counts from 1. */
  page: number
  /** By time of creation. */
  sortOrder: 'ASC' | 'DESC'
}

export const pageWindow = {
  ...listWindow,
  page: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1))
    .default(1),
  sortOrder: z.enum(['ASC', 'DESC']).default('DESC'),
}

/** What each row of a page says beside its own columns: how many the list has, and null where the page itself has none. */
interface Counted {
  total: number
  is_there: true | null
}

export interface PageOptions {
  table: string
  columns: string
  window: PageWindow
  equal?: Equal
  also?: readonly Condition[]
  /** SQL that says as `total` how many rows the table has. Where it is left out, they are counted. */
  total?: string
  /** It is asked for again and again, and one plan is good for all values. */
  isKept?: boolean
  /** No index has what it is narrowed by in the order of the list: its rows are found once, to be counted and sorted. */
  isUnordered?: boolean
}

/**
 * Reads one page of a table's rows, and how many the whole list has. An index finds the page, and only its rows are read: their ids come first,
 * as an array, so that no guess of how many they are leads Postgres to read more.
 */
export async function readPage<Row extends object>(
  db: Queryable,
  { table, columns, window, equal = {}, also = [], total, isKept = false, isUnordered = false }: PageOptions,
): Promise<Page<Row>> {
  const { limit, page, sortOrder } = window
  const { sql, parameters } = whereSql(window, equal, also)
  const isAll = parameters.length === 0
  const written = isKept ? unseenNumber : (n: number) => `$${n}`
  const order = `order by created_at ${sortOrder}, id ${sortOrder}`
  const listed = isUnordered ? 'listed' : `${table} ${sql}`
  const { rows } = await db.query<Row & Counted>(
    `${isUnordered ? `with listed as materialized (select id, created_at from ${table} ${sql})` : ''}
     select counted.total, found.*
     from (${isAll && total ? total : `select count(*)::int as total from ${listed}`}) counted
     left join (select true as is_there, ${columns} from ${table} where id = any (array(
       select id from ${listed} ${order} limit ${written(parameters.length + 1)} offset ${written(parameters.length + 2)}))
       ${order}) found on true`,
    [...parameters, limit, (page - 1) * limit],
    { prepared: isKept },
  )
  const results = rows.flatMap(({ total: _, is_there: isThere, ...row }) => (isThere ? [row as Row] : []))
  return { results, metadata: pageMetadata(window, rows[0]?.total ?? 0) }
}

/** What a page says of itself and of the whole list, which has so many items. */
export function pageMetadata(
  { limit, page, sortOrder }: Pick<PageWindow, 'limit' | 'page' | 'sortOrder'>,
  totalItems: number,
): Page<unknown>['metadata'] {
  const totalPages = limit === 0 ? 0 : Math.ceil(totalItems / limit)
  return {
    itemsPerPage: limit,
    totalItems,
    currentPage: page,
    totalPages,
    hasNextPage: page < totalPages,
    sortOrder,
  }
}
