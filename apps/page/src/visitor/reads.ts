import { readVisitor } from './find-visitor.js'
import type { AssistantTexts } from './visitor.js'
import type { VisitorSource } from './visitor-source.js'
import { readVisitors } from './visitors-table.js'

export { findVisitorAt } from './find-visitor.js'

/**
 * Read 1 of spec 7: slug and name of the visitors that this page may see. The page only logs the result.
 * Rejects with `VisitorLookupError`.
 */
export function listVisitors(source: VisitorSource): Promise<unknown> {
  return readVisitors(source, 'slug,name')
}

/** Writes them to the console. Never rejects. */
export async function logVisitors(source: VisitorSource): Promise<void> {
  try {
    console.debug('Visitors', await listVisitors(source))
  } catch (error) {
    console.debug('The visitors could not be listed.', error)
  }
}

/** The assistant's texts of a visitor whose page is open. Rejects where the row is gone meanwhile, or the read fails. */
export async function readTexts(source: VisitorSource): Promise<AssistantTexts> {
  const visitor = await readVisitor(source)
  if (visitor) return visitor
  throw new Error('The visitor of this page is no longer there; reload the page.')
}
