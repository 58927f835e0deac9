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
 * rejects when the lookup failed. The signal tells that nobody waits any more: after `lookupMs`, or when the desk closes.
 */
export type FindVisitor = (slug: string, signal: AbortSignal) => Promise<Visitor | null>
