/** What the desk needs of a visitor's record (specification, 3). */
export interface Visitor {
  slug: string
  /** The assistant's system prompt; may be empty. */
  system?: string | null
  /** What the assistant says first; may be empty. */
  first_message?: string | null
}

/**
 * Looks a visitor up as the page does: exact first, then without regard to case. Resolves with null when there is none,
 * rejects when the lookup failed. It must settle in time by itself: the desk sets no limit.
 */
export type FindVisitor = (slug: string) => Promise<Visitor | null>
