/**
 * The rows as the column `body`: JSON as text, so that Postgres itself writes numbers, times and all else the way PostgREST
 * does. `row` is what of each (`_row.*`, and not `_row`: a column of that name would be taken for it).
 */
export function rendered(row: string, wanted: boolean): string {
  return `${wanted ? `coalesce(json_agg(${row}), '[]')::text` : 'null::text'} as body`
}
