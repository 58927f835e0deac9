import type { Queryable } from '@heyline/database'
import { ApiError } from './api-error.js'

/** Most bytes of one list, and how many rows of it are read at a time: a row has a megabyte at most, and calls go on meanwhile. */
const MOST_BYTES = 8_000_000
const PART = 20

export interface ResourceKey {
  id: string
}

interface Listed {
  table: string
  columns: string
  family: string
  keys: readonly ResourceKey[]
}

/** The rows of these, in this order. One that is deleted meanwhile is left out. Rejects with an `ApiError` 400 where they are too large for one list. */
export async function listedRows<Row extends ResourceKey>(
  db: Queryable,
  { table, columns, family, keys }: Listed,
): Promise<Row[]> {
  const found = new Map<string, Row>()
  let read = 0
  for (let from = 0; from < keys.length; from += PART) {
    const ids = keys.slice(from, from + PART).map(({ id }) => id)
    const { rows } = await db.query<Row & { bytes: number }>(
      `select ${columns}, octet_length(settings::text) as bytes from ${table}
       where family = $1 and id = any (array(select jsonb_array_elements_text($2::jsonb)::uuid))`,
      [family, ids],
    )
    read = rows.reduce((sum, { bytes }) => sum + bytes, read)
    if (read > MOST_BYTES)
      throw new ApiError(
        400,
        `These have more than ${MOST_BYTES / 1_000_000} MB: ask for fewer at a time, with limit.`,
      )
    for (const row of rows) found.set(row.id, row)
  }
  return keys.flatMap(({ id }) => found.get(id) ?? [])
}
