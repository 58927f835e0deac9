import type { Queryable } from '@heyline/database'
import { checkUrl } from './anonymous/limits.js'
import type { Filter } from './request/condition.js'
import { parseRestRequest, type RestRequest, refuseLong } from './request/rest-request.js'

/** A pattern that matches one text: what stands for others is escaped, as the page does. A `*` cannot be. */
const EXACT_PATTERN = /^(?:[^%_*\\]|\\[%_\\])*$/s

/** What the page selects: all, or slug and name where the server keeps the assistant's texts. */
const LOOKUP_SELECTIONS = ['*', 'slug,name']

/**
 * Whether it is one of the page's own reads, `visitors?select=*&slug=eq.…` or `ilike`, which find one row: the statements that are
 * kept prepared. Any other shape is a request's own making: kept, they would crowd out these, or fill the memory of every session.
 */
export function isVisitorLookup(wanted: RestRequest): boolean {
  if (wanted.action !== 'read') return false
  const { name, selection, filters, order, head, preferences } = wanted
  const [filter] = filters
  if (name !== 'visitors' || head || preferences.count !== undefined || order.length > 0) return false
  if (!LOOKUP_SELECTIONS.includes(plainSelection(selection)) || filters.length !== 1) return false
  if (!filter || !('field' in filter)) return false
  const { field, operation } = filter
  if (field.column !== 'slug' || field.path.length > 0 || operation.negated) return false
  if (operation.operator === 'ilike' && !EXACT_PATTERN.test(operation.value)) return false
  return (operation.operator === 'eq' || operation.operator === 'ilike') && operation.quantifier === undefined
}

/** By the index `visitors_slug`. */
const SPELLING = 'select slug from public.visitors where lower(slug) = lower($1::text)'

/**
 * A lookup; one without case with the only slug that can match as a further filter. Row Level Security keeps every index from `ilike` and
 * `lower`, which might tell of hidden rows: each such lookup would go through all listed visitors. So the slug is found with the
 * login's own rights, before the transaction takes the caller's role. Whether the caller sees that visitor is for the policy to
 * say, as ever.
 */
export async function withSpelling(tx: Queryable, lookup: RestRequest): Promise<RestRequest> {
  if (lookup.action !== 'read') return lookup
  const [filter] = lookup.filters
  if (!filter || !('field' in filter) || filter.operation.operator !== 'ilike') return lookup
  const text = filter.operation.value.replaceAll(/\\(.)/gs, '$1')
  const { rows } = await tx.query<{ slug: string }>(SPELLING, [text], { prepared: true })
  // No slug is empty.
  const value = rows[0]?.slug ?? ''
  const spelling: Filter = { field: filter.field, operation: { negated: false, operator: 'eq', value } }
  return { ...lookup, filters: [spelling, filter] }
}

/** Whether it is the page's other read, `visitors?select=slug,name`: no line, since it is short however many visitors there are. */
export function isVisitorList(wanted: RestRequest): boolean {
  if (wanted.action !== 'read') return false
  const { name, selection, filters, order, page, preferences } = wanted
  if (name !== 'visitors' || filters.length > 0 || order.length > 0) return false
  if (page.offset > 0 || preferences.count !== undefined) return false
  const columns = selection.map((item) =>
    item === '*' || item.field.path.length > 0 ? '*' : item.field.column,
  )
  return columns.every((column) => column === 'slug' || column === 'name')
}

/** Whether a request is one of the page's two reads; its path is below `/rest/v1`. Never rejects: what can't be read is none. */
export async function isPageRead(request: Request, path: string): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  try {
    refuseLong(request.url)
    checkUrl(request.url)
    const asked = await parseRestRequest(request, path, { bytes: 0, values: 0 })
    return isVisitorLookup(asked) || isVisitorList(asked)
  } catch {
    return false
  }
}

/**
 * For the rest of a transaction. Without statistics, which PGlite gathers only when it is told to, Postgres takes a third of all visitors for
 * listed ones, and goes through every hidden one to find a few: the list, which waits in no line, would hold up everybody.
 */
export const BY_INDEX = "select set_config('enable_seqscan', 'off', true)"

type Selection = Extract<RestRequest, { action: 'read' }>['selection']

/** A selection of whole columns under their own names, as an address has it; any other is written in a way that no address has. */
const plainSelection = (selection: Selection): string =>
  selection
    .map((item) => {
      if (item === '*') return item
      const { field, name, cast } = item
      return name === field.column && field.path.length === 0 && cast === undefined ? name : '?'
    })
    .join(',')
