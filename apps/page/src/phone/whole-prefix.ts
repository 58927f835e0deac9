/** One edit of a text field: what it held, what it holds, where the caret is now, and the text put in (empty when deleting). */
export interface Edit {
  before: string
  after: string
  caret: number
  typed: string
}

/**
 * The text and caret after an edit, with the calling code `prefix` whole: what was typed into or over it stands behind
 * it, and what was deleted of it is back. An edit behind the prefix stays as it is.
 */
export function withWholePrefix(
  { before, after, caret, typed }: Edit,
  prefix: string,
): { text: string; caret: number } {
  if (caret - typed.length >= prefix.length) return { text: after, caret }
  const untouched = after.length - caret
  const rest = before.slice(Math.max(prefix.length, before.length - untouched))
  return { text: prefix + typed + rest, caret: prefix.length + typed.length }
}
