/**
 * The rows of `source` as the column `body`: JSON as text, so that Postgres itself writes numbers, times and all else the way
 * PostgREST does. `source.*` and not `source`: a column of that name would be taken for it.
 */
export function rendered(source: string, wanted: boolean): string {
  return `${wanted ? `coalesce(json_agg(${source}.*), '[]')::text` : 'null::text'} as body`
}
