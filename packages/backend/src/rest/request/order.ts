import { RestError } from '../../errors/rest-error.js'
import { type Field, readField } from './field.js'
import { Reader } from './reader.js'

/** One item of `order`. Without `nulls` Postgres puts them last when ascending, first when descending. */
export interface Order {
  field: Field
  direction: 'asc' | 'desc'
  nulls?: 'first' | 'last'
}

/** Reads `order`: `field[.asc|.desc][.nullsfirst|.nullslast]`, separated by commas. */
export function parseOrder(text: string | null): Order[] {
  if (!text) return []
  const reader = new Reader('order', text)
  const order: Order[] = []
  do order.push(readOrder(reader))
  while (reader.skip(','))
  reader.end()
  return order
}

function readOrder(reader: Reader): Order {
  const field = readField(reader)
  if (reader.skip('(')) throw RestError.notServed("Order by another table's column")
  const direction = reader.take(/\.(asc|desc)/y)?.[1]
  const nulls = reader.take(/\.nulls(first|last)/y)?.[1]
  reader.take(/\s*/y)
  return {
    field,
    direction: direction === 'desc' ? 'desc' : 'asc',
    ...((nulls === 'first' || nulls === 'last') && { nulls }),
  }
}
