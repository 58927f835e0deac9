/** What the list can be ordered by. */
export const SEARCH_SORTS = ['slug', 'name', 'created'] as const

/** What is looked for. What is left out does not count. */
export interface VisitorQuery {
  /** A part of the slug or of the name, in any case. */
  text?: string | undefined
  listed?: boolean | undefined
  /** With a prompt, or without. */
  prompt?: boolean | undefined
  sort: (typeof SEARCH_SORTS)[number]
  /** The last first. */
  isDescending: boolean
  /** So many are left out before; `MOST_FOUND` at most. */
  offset: number
  limit: number
}

/** A visitor as it is found; the prompts are long and private, so they are not here. */
export interface FoundVisitor {
  slug: string
  name: string
  hasPrompt: boolean
  /** Left out where the table has no such column (a hosted one). */
  listed?: boolean
  createdAt?: Date
}

export interface FoundVisitors {
  visitors: FoundVisitor[]
  total: number
  /** There are more than `total`: counting all of them would take too long. */
  isMore: boolean
}

/** Finds visitors. Rejects with a `VisitorError`. */
export type VisitorSearch = (query: VisitorQuery) => Promise<FoundVisitors>

/** So many are counted. */
export const MOST_FOUND = 100_000
