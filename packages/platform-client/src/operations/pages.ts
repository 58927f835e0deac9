import type { Operation } from '../api/operation.js'
import type { Page, Pages } from '../api/page.js'
import { invalidAnswer } from '../errors/platform-error.js'
import type { PlatformCore } from '../request/platform-core.js'
import type { RequestInput, RequestOptions } from '../request/request-input.js'

/** A page as the platform may send it; versions of an assistant name the next page instead of counting. */
interface AnyPage extends Partial<Page<unknown>> {
  nextPageState?: string
}

/** What tells an item from another; an item without an id is never taken for one that was there. */
const identity = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'id' in item ? item.id : item

/**
 * Walks through a list page by page, from the query's `page` on, to the last one. What is created meanwhile moves items from the end of one page
 * to the beginning of the next: those are not given twice.
 */
export async function* walkPages(
  core: Pick<PlatformCore, 'request'>,
  operation: Operation,
  { path, query }: RequestInput,
  options?: RequestOptions,
): Pages<unknown> {
  const asked: Record<string, unknown> = { ...query }
  let before = new Set<unknown>()
  for (let number = Number(asked.page ?? 1); ; number++) {
    const page = await core.request<AnyPage | undefined>(
      operation,
      { ...(path && { path }), query: asked },
      options,
    )
    if (!Array.isArray(page?.results)) throw invalidAnswer(operation, 200, 'no page of a list')
    for (const item of page.results) {
      options?.signal?.throwIfAborted()
      if (!before.has(identity(item))) yield item
    }
    before = new Set(page.results.map(identity))
    if (before.size === 0) return
    if (operation.query.includes('pageState')) {
      if (!page.nextPageState || page.nextPageState === asked.pageState) return
      asked.pageState = page.nextPageState
      continue
    }
    const { currentPage = number, hasNextPage, itemsPerPage = 0, totalItems = Infinity } = page.metadata ?? {}
    // A server that always answers with the same page would be asked for ever.
    if (currentPage < number) throw invalidAnswer(operation, 200, `page ${currentPage} instead of ${number}`)
    if (!(hasNextPage ?? number * itemsPerPage < totalItems)) return
    asked.page = number + 1
  }
}
