/** Deepest that the values of a JSON may lie inside each other: what stores and shows them goes into each, and nobody needs more. */
export const MOST_NESTING = 100

/** Whether values lie deeper inside each other than so many levels of lists and objects. It goes no deeper itself. */
export function isNestedBeyond(most: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return most <= 0 || Object.values(value).some((inner) => isNestedBeyond(most - 1, inner))
}
