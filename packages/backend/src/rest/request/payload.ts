import { RestError } from '../../errors/rest-error.js'
import { type BodyLimits, readBody } from './body.js'

/** Rows as they came: the text goes to Postgres untouched. */
export interface Payload {
  /** A JSON object, or an array of such. */
  json: string
  isArray: boolean
  /** How many there are. */
  rows: number
  /** Columns that are written, the same ones for every row. */
  columns: string[]
}

/** Reads the rows of the body. `columns` says which keys to take; without it all rows must have the same. */
export async function readPayload(
  request: Request,
  columns: string[] | null,
  limits: BodyLimits,
): Promise<Payload> {
  const { json, value } = await readBody(request, limits)
  const isArray = Array.isArray(value)
  const rows: unknown[] = isArray ? value : [value]
  const keys = rows.map(keysOf)
  if (columns !== null) return { json, isArray, rows: rows.length, columns }
  const [first = []] = keys
  const names = new Set(first)
  if (keys.some((other) => other.length !== first.length || other.some((key) => !names.has(key))))
    throw new RestError('PGRST102', { message: 'All object keys must match' })
  return { json, isArray, rows: rows.length, columns: first }
}

function keysOf(row: unknown): string[] {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new RestError('PGRST102')
  return Object.keys(row)
}
