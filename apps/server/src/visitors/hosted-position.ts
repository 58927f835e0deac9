/** Where a read of rows that are ordered by slug begins, as PostgREST's parameters. */
export interface Position {
  slug: string
  /** Rows to leave out from there. */
  offset?: string
}

/** Behind a part that was read from `from`: rows of its last slug may go on, so that these are counted. */
export function positionBehind(part: { slug: string }[], from: Position): Position {
  const last = part.at(-1)?.slug
  if (last === undefined) return from
  const slug = `gte.${last}`
  const before = from.slug === slug ? Number(from.offset ?? 0) : 0
  return { slug, offset: String(before + part.filter((row) => row.slug === last).length) }
}
