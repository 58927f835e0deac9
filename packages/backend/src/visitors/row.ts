import type { NewVisitor, VisitorChanges } from './new-visitor.js'
import type { Visitor } from './visitor.js'

/** The columns that the operator keeps, in the order of files. */
export const COLUMNS = 'slug, name, system, first_message, listed'

/** A new visitor as it is stored. */
export const rowOf = ({ slug, name, system, firstMessage, listed }: NewVisitor): Required<Visitor> => ({
  slug,
  name,
  system: system || null,
  first_message: firstMessage || null,
  listed: listed ?? false,
})

/** Changes as columns and their values; what is not changed is in neither. */
export function assignments({ slug, name, system, firstMessage, listed }: VisitorChanges) {
  const given = { slug, name, system, first_message: firstMessage, listed }
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  return {
    columns: entries.map(([column]) => column),
    // No column but these two texts may be empty.
    values: entries.map(([, value]) => (value === '' ? null : value)),
  }
}
