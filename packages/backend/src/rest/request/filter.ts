import { RestError } from '../../errors/rest-error.js'
import { type Condition, parseTree } from './condition.js'
import { type Field, readField } from './field.js'
import { type Operation, readOperation } from './operation.js'
import { checkPatterns } from './pattern.js'
import { Reader } from './reader.js'

/** Query parameters that are no filters. */
const RESERVED = new Set(['select', 'order', 'limit', 'offset', 'columns', 'on_conflict'])

/** The query parameters that may be filters: those without another meaning. */
export function filterParameters(search: URLSearchParams): [string, string][] {
  return [...search].filter(([key]) => !RESERVED.has(key))
}

/** Reads filters, `field=[not.]operator.value`, and trees, `and=(…)`; a row must pass all of them. */
export function parseFilters(parameters: readonly [string, string][]): Condition[] {
  const conditions = parameters.map(([key, text]): Condition => {
    const [, not, logic] = /^(not\.)?(and|or)$/.exec(key) ?? []
    if (logic === 'and' || logic === 'or') return parseTree(logic, not !== undefined, text)
    return { field: parseKey(key), operation: parseOperation(text) }
  })
  checkPatterns(conditions)
  return conditions
}

function parseKey(key: string): Field {
  const reader = new Reader('filter', key)
  const field = readField(reader)
  if (reader.skip('.')) throw RestError.notServed(`A filter on another table (${key})`)
  reader.end()
  return field
}

function parseOperation(text: string): Operation {
  const reader = new Reader('filter', text)
  const operation = readOperation(reader, 'alone')
  reader.end()
  return operation
}
