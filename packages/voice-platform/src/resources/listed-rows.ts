import type { Queryable } from '@heyline/database'
import { loopTurn } from '@heyline/kit/loop-turn'
import { ApiError } from './api-error.js'
import { type RowKey, rowParts } from './row-parts.js'
import { valuesOf } from './values-of.js'

/** Most bytes of one list, with secrets, and most values: to read, to mask and to write each takes about a microsecond, however short it is. */
const MOST_BYTES = 8_000_000
const MOST_VALUES = 300_000
/** No value takes fewer bytes, with the comma behind it. */
const LEAST_OF_VALUE = 2

interface Listed<Row, Shown> {
  table: string
  columns: string
  family: string
  keys: readonly RowKey[]
  show(row: Row): Shown
}

interface Stored {
  id: string
  settings: unknown
}

/**
 * The rows of these as they are shown, in this order. One that is deleted meanwhile is left out. Rejects with an `ApiError` 400 where they are too
 * large for one list: by their bytes before any is read, by their values before more are.
 */
export async function listedRows<Row extends Stored, Shown>(
  db: Queryable,
  { table, columns, family, keys, show }: Listed<Row, Shown>,
): Promise<Shown[]> {
  const all = keys.reduce((sum, { bytes }) => sum + bytes, 0)
  if (all > MOST_BYTES) throw tooLarge(`${MOST_BYTES / 1_000_000} MB`)
  const mayBeMany = keys.length > 1 && all > MOST_VALUES * LEAST_OF_VALUE
  const found = new Map<string, Shown>()
  let values = 0
  for (const part of rowParts(keys)) {
    const { rows } = await db.query<Row>(
      `select ${columns} from ${table}
       where family = $1 and id = any (array(select jsonb_array_elements_text($2::jsonb)::uuid))`,
      [family, part.map(({ id }) => id)],
    )
    for (const row of rows) {
      if (mayBeMany) values += valuesOf(row.settings)
      if (values > MOST_VALUES) throw tooLarge(`${MOST_VALUES} values`)
      found.set(row.id, show(row))
    }
    if (part.length < keys.length) await loopTurn()
  }
  return keys.flatMap(({ id }) => found.get(id) ?? [])
}

const tooLarge = (most: string) =>
  new ApiError(400, `These have more than ${most}: ask for fewer at a time, with limit.`)
