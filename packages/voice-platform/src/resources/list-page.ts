import type { Queryable } from '@heyline/database'
import type { Page } from '@heyline/platform-client'
import { z } from 'zod'
import { type Equal, type ListWindow, listWindow, whereSql } from './list-window.js'

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

/** Reads one page of a table's rows. It counts in a statement of its own, so a row that is created meanwhile may be missing from the count. */
export async function readPage<Row>(
  db: Queryable,
  {
    table,
    columns,
    window,
    equal = {},
  }: { table: string; columns: string; window: PageWindow; equal?: Equal },
): Promise<Page<Row>> {
  const { limit, page, sortOrder } = window
  const { sql, parameters } = whereSql(window, equal)
  const counted = await db.query<{ total: number }>(
    `select count(*)::int as total from ${table} ${sql}`,
    parameters,
  )
  const { rows } = await db.query<Row>(
    `select ${columns} from ${table} ${sql} order by created_at ${sortOrder}, id ${sortOrder}
     limit $${parameters.length + 1} offset $${parameters.length + 2}`,
    [...parameters, limit, (page - 1) * limit],
  )
  const totalItems = counted.rows[0]?.total ?? 0
  const totalPages = limit === 0 ? 0 : Math.ceil(totalItems / limit)
  return {
    results: rows,
    metadata: {
      itemsPerPage: limit,
      totalItems,
      currentPage: page,
      totalPages,
      hasNextPage: page < totalPages,
      sortOrder,
    },
  }
}
