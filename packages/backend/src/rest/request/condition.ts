import { RestError } from '../../errors/rest-error.js'
import { type Field, readField } from './field.js'
import { type Operation, readOperation } from './operation.js'
import { Reader } from './reader.js'

/** What a row must pass: an operation on one field, or a tree of such. */
export type Condition = Filter | Tree

export interface Filter {
  field: Field
  operation: Operation
}

/** Conditions of which a row must pass all (`and`) or one (`or`); negated, the opposite. */
export interface Tree {
  logic: 'and' | 'or'
  negated: boolean
  conditions: Condition[]
}

/** How deep trees may stand in each other: both this and Postgres read them by recursion. */
const DEPTH = 20

/** Reads `(a.eq.1,not.or(b.gt.2,c.is.null))`, the value of the query parameter `logic`. */
export function parseTree(logic: 'and' | 'or', negated: boolean, text: string): Tree {
  const reader = new Reader('logic tree', text)
  const tree = { logic, negated, conditions: readConditions(reader, 1) }
  reader.end()
  return tree
}

function readConditions(reader: Reader, depth: number): Condition[] {
  if (depth > DEPTH) throw RestError.notServed(`A tree of more than ${DEPTH} levels`)
  const conditions: Condition[] = []
  if (!reader.take(/\s*\(\s*/y)) throw reader.unreadable('expected "("')
  do conditions.push(readCondition(reader, depth))
  while (reader.take(/\s*,\s*/y))
  if (!reader.take(/\s*\)\s*/y)) throw reader.unreadable('expected "," or ")"')
  return conditions
}

function readCondition(reader: Reader, depth: number): Condition {
  const [, not, logic] = reader.take(/(not\.)?(and|or)(?=\s*\()/y) ?? []
  if (logic === 'and' || logic === 'or')
    return { logic, negated: not !== undefined, conditions: readConditions(reader, depth + 1) }
  const field = readField(reader)
  reader.expect('.')
  return { field, operation: readOperation(reader, 'in a tree') }
}
