import { Icon } from './icon.js'
import type { TableColumn, TableSort } from './table-column.js'
import { UI_TEXTS } from './texts.js'

interface TableHeadProps<Row> {
  columns: readonly TableColumn<Row>[]
  sort: TableSort | undefined
  onSort: ((sort: TableSort) => void) | undefined
  /** Left out where rows cannot be chosen. */
  selectAll?: { isAll: boolean; isSome: boolean; choose(): void }
}

/** The names of the columns; a press on one sorts by it, and turns the order round. On a phone they stand above the cards. */
export function TableHead<Row>({ columns, sort, onSort, selectAll }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selectAll && (
          <th scope="col" className="table-check">
            <input
              type="checkbox"
              className="check"
              aria-label={UI_TEXTS.selectAll}
              checked={selectAll.isAll}
              ref={(box) => {
                if (box) box.indeterminate = selectAll.isSome && !selectAll.isAll
              }}
              onChange={selectAll.choose}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  )
}

function HeadCell<Row>({
  column,
  sort,
  onSort,
}: Pick<TableHeadProps<Row>, 'sort' | 'onSort'> & { column: TableColumn<Row> }) {
  const { id, header, align, isSortable } = column
  const order = sort?.id === id ? (sort.isDescending ? 'descending' : 'ascending') : undefined
  const shown = { scope: 'col', 'data-align': align, 'aria-sort': order } as const
  if (!isSortable || !onSort) return <th {...shown}>{header}</th>
  return (
    <th {...shown}>
      <button
        type="button"
        className="sorter"
        title={UI_TEXTS.sortBy(header)}
        onClick={() => onSort({ id, isDescending: order === 'ascending' })}
      >
        {header}
        <Icon name={order === undefined ? 'sort' : order === 'ascending' ? 'up' : 'down'} />
      </button>
    </th>
  )
}
