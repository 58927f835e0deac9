import type { Field } from '../request/field.js'
import type { Parameters } from './parameters.js'
import type { Table } from './table.js'

/** A column, or a place in its JSON. Keys travel as parameters; what is no JSON is made JSON first, as PostgREST does. */
export function fieldSql(table: Table, { column, path }: Field, parameters: Parameters): string {
  const source = table.column(column)
  if (path.length === 0) return source
  const json = table.isJson(column) ? source : `to_jsonb(${source})`
  const steps = path.map(
    ({ arrow, key }) => ` ${arrow} ${parameters.add(key)}::${typeof key === 'number' ? 'int4' : 'text'}`,
  )
  return `(${json}${steps.join('')})`
}
