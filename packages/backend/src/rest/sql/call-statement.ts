import type { Arguments } from '../request/call.js'
import { SCHEMA } from '../request/rest-request.js'
import { type ReadOptions, readStatement } from './read-statement.js'
import { type Routine, type RoutineInput, takesWholeBody } from './routine.js'
import { Parameters, quoteIdentifier, type Statement } from './statement.js'
import { Table } from './table.js'

/**
 * Calls a function, once, and reads what it returns as a table's rows are read: a row as of `readStatement`.
 * Names of arguments and types come into SQL as the catalogue has them; values travel as parameters.
 */
export function callStatement(
  name: string,
  routine: Routine,
  args: Arguments,
  options: Omit<ReadOptions, 'row'>,
): Statement {
  const parameters = new Parameters()
  const from = call(name, routine, args, parameters)
  if (routine.kind === 'void')
    return {
      sql: `select null::text as body, count(*) as returned, null::int8 as total from ${from} as _call`,
      values: parameters.values,
    }
  const isValue = routine.kind === 'value'
  const table = new Table(name, routine.columns, { source: '_source' })
  const source = `_source as (select _call.* from ${from} as _call${isValue ? '(value)' : ''})`
  return readStatement(table, { ...options, row: isValue ? 'value' : 'object' }, { parameters, source })
}

function call(name: string, routine: Routine, args: Arguments, parameters: Parameters): string {
  const callee = `${quoteIdentifier(SCHEMA)}.${quoteIdentifier(name)}`
  if (args.from === 'address') {
    const given = routine.inputs.flatMap((input) => {
      const value = args.values.get(input.name)
      return value === undefined ? [] : [named(input, `${parameters.add(value)}::${input.type}`)]
    })
    return `${callee}(${given.join(', ')})`
  }
  const names = new Set(args.names)
  const given = routine.inputs.filter(({ name }) => name !== '' && names.has(name))
  if (given.length === 0 && takesWholeBody(routine))
    return `${callee}(${parameters.add(args.json)}::${routine.inputs[0]?.type})`
  if (given.length === 0) return `${callee}()`
  const columns = given.map((input) => `${quoteIdentifier(input.name)} ${input.type}`).join(', ')
  const values = given.map((input) => named(input, `_arguments.${quoteIdentifier(input.name)}`)).join(', ')
  return `json_to_record(${parameters.add(args.json)}::json) as _arguments(${columns}), ${callee}(${values})`
}

function named({ name, variadic }: RoutineInput, value: string): string {
  return `${variadic ? 'variadic ' : ''}${quoteIdentifier(name)} => ${value}`
}
