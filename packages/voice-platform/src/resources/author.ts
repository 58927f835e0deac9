/** Who writes: a member below admin, or somebody who may do everything. */
export type Author = 'member' | 'admin'

/** A change of what members wrote last: `of_members` without `written`, and with `added`. */
export function noted(
  watched: readonly string[],
  settings: Record<string, unknown>,
  author: Author,
): { written: string[]; added: string[] } {
  const written = watched.filter((name) => settings[name] !== undefined)
  return { written, added: author === 'member' ? written : [] }
}

/** The same in SQL, of JSON lists of names. */
export const notedSql = (written: string, added: string): string =>
  `nullif((coalesce(of_members, '[]') - array(select jsonb_array_elements_text(${written}::jsonb))) || ${added}::jsonb, '[]')`
