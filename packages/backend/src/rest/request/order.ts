import { RestError } from '../rest-error.js'
import { columnName, splitList } from './list.js'

/** One item of `order`. Without `nulls` Postgres puts them last when ascending, first when descending. */
export interface Order {
  column: string
  direction: 'asc' | 'desc'
  nulls?: 'first' | 'last'
}

const ITEM = /^("(?:[^"\\]|\\.)*"|.+?)(?:\.(asc|desc))?(?:\.nulls(first|last))?$/s

/** Reads `order`: `column[.asc|.desc][.nullsfirst|.nullslast]`, separated by commas. */
export function parseOrder(text: string | null): Order[] {
  return splitList(text ?? '').map((item) => {
    const [, column = '', direction, nulls] = ITEM.exec(item.trim()) ?? []
    if (column === '' || column.startsWith('.')) throw RestError.unreadable('order', text ?? '')
    return {
      column: columnName(column),
      direction: direction === 'desc' ? 'desc' : 'asc',
      ...((nulls === 'first' || nulls === 'last') && { nulls }),
    }
  })
}
