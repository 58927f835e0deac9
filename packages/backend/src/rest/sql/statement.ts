import { guarded } from './in-time.js'

/** Values of one statement: they travel beside the SQL, never in it. */
export class Parameters {
  readonly values: unknown[] = []

  /** Takes a value and returns its place in the SQL, `$1`, `$2`, … */
  add(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}

/** SQL, and the values of its `$1`, `$2`, … */
export interface Statement {
  sql: string
  values: unknown[]
}

/** What a statement may take. */
export interface Bounds {
  /** Most bytes of the answer. */
  answerBytes: number
  /** After so many ms it ends itself with an error; infinite where something else can end it. */
  withinMs: number
}

/** A name as SQL takes it, whatever it holds. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** What the column `body` says where its rows would be larger than the limit; JSON is never empty. */
export const TOO_LARGE = ''

/**
 * The rows of `_row` as the column `body`: JSON as text, so that Postgres itself writes numbers, times and all else the way
 * PostgREST does. `row` is what of each (`_row.*`, and not `_row`: a column of that name would be taken for it).
 * Where there is a limit, in bytes, `_row` must be a CTE. It is measured row by row first, and is never in memory as a whole
 * where it is too large: PGlite would keep that memory for ever.
 */
export function rendered(row: string, wanted: boolean, { answerBytes: limit, withinMs }: Bounds): string {
  if (!wanted) return 'null::text as body'
  const list = `coalesce(json_agg(${row}), '[]')::text`
  if (limit === Number.POSITIVE_INFINITY) return `${list} as body`
  const bytes = `select coalesce(sum(${guarded(`octet_length(to_json(${row})::text) + 2`, withinMs)}), 0) from _row`
  return `case when (${bytes}) <= ${limit} then (select ${list} from _row) else '${TOO_LARGE}' end as body`
}
