import { type BodyLimits, readBody } from './body.js'
import type { Condition } from './condition.js'
import { filterParameters, parseFilters } from './filter.js'
import { isOperation } from './operation.js'

/** Arguments of a function call, by name: texts of the address, or JSON of the body. */
export type Arguments =
  | { from: 'address'; values: Map<string, string> }
  /** `names` is null where the JSON is no object: then it can only be the one argument of a function without names. */
  | { from: 'body'; json: string; names: string[] | null }

/** Reads the arguments of a call by GET or HEAD. A parameter whose value begins as an operation is a filter of the result. */
export function parseAddressCall(search: URLSearchParams): { args: Arguments; filters: Condition[] } {
  const values = new Map<string, string>()
  const filters: [string, string][] = []
  for (const [key, text] of filterParameters(search)) {
    if (isOperation(text) || /^(not\.)?(and|or)$/.test(key)) filters.push([key, text])
    else values.set(key, text)
  }
  return { args: { from: 'address', values }, filters: parseFilters(filters) }
}

/** Reads the arguments of a call by POST: the keys of the body, or those that `columns` names. No body is no argument. */
export async function readBodyCall(
  request: Request,
  columns: string[] | null,
  limits: BodyLimits,
): Promise<Arguments> {
  const { json, value } = await readBody(request, limits, '{}')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { from: 'body', json, names: null }
  return { from: 'body', json, names: columns ?? Object.keys(value) }
}
