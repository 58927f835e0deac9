import { memo } from 'react'
import type { TableColumn } from './table-column.js'

interface TableRowProps<Row> {
  /** Among the rows that the table has. */
  index: number
  /** Among all rows there are, the header's counted, from 1. */
  rowIndex: number
  row: Row
  columns: readonly TableColumn<Row>[]
  /** Left out where all rows have the same height. */
  measure: ((element: HTMLElement | null) => void) | undefined
  isSelected: boolean
  /** Of the checkbox; left out where rows cannot be chosen. */
  selectName: string | undefined
  select(id: number, event: unknown): void
}

/** A row; on a phone a card, whose values stand behind the names of their columns. Drawn anew only when something of it has changed. */
function Row<Row>({
  index,
  rowIndex,
  row,
  columns,
  measure,
  isSelected,
  selectName,
  select,
}: TableRowProps<Row>) {
  return (
    <tr ref={measure} data-index={index} aria-rowindex={rowIndex} data-selected={isSelected || undefined}>
      {selectName !== undefined && (
        <td className="table-check">
          <input
            type="checkbox"
            className="check"
            aria-label={selectName}
            checked={isSelected}
            onChange={(event) => select(index, event)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-align={column.align}
          data-title={column.isTitle || undefined}
          data-menu={column.isMenu || undefined}
          data-wraps={column.wraps || undefined}
          data-header={column.header}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

export const TableRow = memo(Row) as typeof Row
