/** `Location` of an inserted row: its table, and filters on its key, as PostgREST writes it. */
export function location(table: string, key: readonly [string, string | null][]): string {
  const filters = key.map(([name, value]) => {
    const operation = value === null ? 'is.null' : `eq.${value}`
    return `${encodeURIComponent(name)}=${encodeURIComponent(operation)}`
  })
  return `/${encodeURIComponent(table)}?${filters.join('&')}`
}
