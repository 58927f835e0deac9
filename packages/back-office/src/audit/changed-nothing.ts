/**
 * Whether an operation changed nothing: its answer says so (`isChanged`), or among what the audit keeps of it are numbers and lists, and all of
 * them are 0 or empty.
 */
export function changedNothing(given: unknown, detail: Readonly<Record<string, unknown>>): boolean {
  const isChanged: unknown = Reflect.get(Object(given), 'isChanged')
  if (typeof isChanged === 'boolean') return !isChanged
  const counts = Object.values(detail).filter((value) => typeof value === 'number' || Array.isArray(value))
  return (
    counts.length > 0 && counts.every((value) => value === 0 || (Array.isArray(value) && value.length === 0))
  )
}
