import type { VisitorSource } from './visitor-source.js'
import { readVisitors } from './visitors-table.js'

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
