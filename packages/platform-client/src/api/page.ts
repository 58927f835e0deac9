/** What every paginated list can be narrowed by, beside the query of a plain list. */
export interface PageQuery extends ListQuery {
  /** Counts from 1. Default 1. */
  page?: number
  /** By time of creation. Default `DESC`, the newest first. */
  sortOrder?: 'ASC' | 'DESC'
}

/** Where a page is in its list. */
export interface PageMetadata {
  itemsPerPage: number
  totalItems: number
  /** Counts from 1. */
  currentPage: number
  totalPages?: number
  hasNextPage?: boolean
  nextCursor?: string
  sortOrder?: 'ASC' | 'DESC'
  /** Items older than the plan keeps, and so left out. */
  itemsBeyondRetention?: boolean
  /** ISO 8601. */
  createdAtLe?: string
  /** ISO 8601. */
  createdAtGe?: string
}

/** One page of a list. */
export interface Page<Item> {
  results: Item[]
  metadata: PageMetadata
}

/** All items of a paginated list, page after page; nothing is asked before the first is taken. Leaving the loop ends it. */
export type Pages<Item> = AsyncGenerator<Item, void, undefined>

/** The events of a streamed answer; nothing is sent before the first is taken. Leaving the loop cancels the request. */
export type EventStream<Event> = AsyncGenerator<Event, void, undefined>

/** What every plain list can be narrowed by. Times are ISO 8601 or a `Date`. */
export interface ListQuery {
  /** Most items returned, 0–1000. Default 100. */
  limit?: number
  /** Created after. */
  createdAtGt?: Date | string
  /** Created before. */
  createdAtLt?: Date | string
  /** Created at or after. */
  createdAtGe?: Date | string
  /** Created at or before. */
  createdAtLe?: Date | string
  /** Changed after. */
  updatedAtGt?: Date | string
  /** Changed before. */
  updatedAtLt?: Date | string
  /** Changed at or after. */
  updatedAtGe?: Date | string
  /** Changed at or before. */
  updatedAtLe?: Date | string
}
