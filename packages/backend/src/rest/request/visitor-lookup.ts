import type { RestRequest } from './rest-request.js'

type Read = Extract<RestRequest, { action: 'read' }>

/**
 * Whether it is one of the page's own reads, `visitors?select=*&slug=eq.…` or `ilike`: the statements that are kept prepared.
 * Any other shape is a request's own making: kept, they would crowd out these, or fill the memory of every session.
 */
export function isVisitorLookup({ name, selection, filters, order, head, preferences }: Read): boolean {
  const [filter] = filters
  if (name !== 'visitors' || head || preferences.count !== undefined || order.length > 0) return false
  if (selection.length !== 1 || selection[0] !== '*' || filters.length !== 1) return false
  if (!filter || !('field' in filter)) return false
  const { field, operation } = filter
  if (field.column !== 'slug' || field.path.length > 0 || operation.negated) return false
  return (operation.operator === 'eq' || operation.operator === 'ilike') && operation.quantifier === undefined
}
