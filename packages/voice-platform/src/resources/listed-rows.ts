import type { Queryable } from '@heyline/database'
import { ApiError } from './api-error.js'

/** Most bytes of one list, with secrets, and how many rows of it are read at a time: a row has a megabyte at most, and calls go on meanwhile. */
const MOST_BYTES = 8_000_000
const PART = 20

export interface ResourceKey {
  id: string
  /** Of the row. */
  bytes: number
}

interface Listed {
  table: string
  columns: string
  family: string
  keys: readonly ResourceKey[]
}

/** The rows of these, in this order. One that is deleted meanwhile is left out. Rejects with an `ApiError` 400 where they are too large for one list, and reads none then. */
export async function listedRows<Row extends Pick<ResourceKey, 'id'>>(
  db: Queryable,
  { table, columns, family, keys }: Listed,
): Promise<Row[]> {
  if (keys.reduce((sum, { bytes }) => sum + bytes, 0) > MOST_BYTES)
    throw new ApiError(
      400,
      `These have more than ${MOST_BYTES / 1_000_000} MB: ask for fewer at a time, with limit.`,
    )
  const found = new Map<string, Row>()
  for (let from = 0; from < keys.length; from += PART) {
    const ids = keys.slice(from, from + PART).map(({ id }) => id)
    const { rows } = await db.query<Row>(
      `select ${columns} from ${table}
       where family = $1 and id = any (array(select jsonb_array_elements_text($2::jsonb)::uuid))`,
      [family, ids],
    )
    for (const row of rows) found.set(row.id, row)
  }
  return keys.flatMap(({ id }) => found.get(id) ?? [])
}
