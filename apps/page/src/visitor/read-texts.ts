import type { AssistantTexts } from '../assistant-overrides.js'
import { readVisitor } from './find-visitor.js'
import type { VisitorSource } from './visitor-source.js'

/** The assistant's texts of a visitor whose page is open. Rejects where the row is gone meanwhile, or the read fails. */
export async function readTexts(source: VisitorSource): Promise<AssistantTexts> {
  const visitor = await readVisitor(source)
  if (visitor) return visitor
  throw new Error('The visitor of this page is no longer there; reload the page.')
}
