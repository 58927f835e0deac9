import {
  createColumnHelper,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import { Skeleton } from './placeholders.js'
import type { TableColumn, TableSort } from './table-column.js'
import { TableHead } from './table-head.js'
import { focusRow, rowAfter, rowOf } from './table-keys.js'
import { TableRow } from './table-row.js'
import { UI_TEXTS } from './texts.js'
import { useSettled } from './use-settled.js'

const features = tableFeatures({ rowSortingFeature, rowSelectionFeature })
/** Height of a row before it is measured, in px: a line, and on a phone a card. */
const ROW_PX = 46
const CARD_PX = 132
/** Rows that are drawn above and below what is seen. */
const OVERSCAN = 8
/** A page of so many rows is drawn whole, once nothing else is to be done: scrolling then draws nothing. */
const ALL_DRAWN = 200
/** Where rows become cards; the style says the same. */
const CARDS = '(max-width: 47.99rem)'

export interface DataTableProps<Row> {
  /** Names the table for what reads it aloud. */
  label: string
  /** Constant: made outside of the component, or kept by `useMemo`. */
  columns: readonly TableColumn<Row>[]
  /** Undefined while the first of them are on their way. */
  rows: readonly Row[] | undefined
  rowId(row: Row): string
  /** In words, for its checkbox. */
  rowName(row: Row): string
  /** Shown where there are no rows. */
  empty: ReactNode
  /** How many rows there are in all, and how many stand before these; left out: these are all. */
  total?: number
  first?: number
  /** The order that the rows have. The server sorts. */
  sort?: TableSort | undefined
  onSort?(sort: TableSort): void
  /** The ids of the rows that are chosen; left out: none can be. */
  selected?: ReadonlySet<string>
  onSelect?(selected: ReadonlySet<string>): void
  /** Called when the last rows come into sight, for tables that go on by scrolling. */
  nearEnd?(): void
}

/** Rows to look through, sort and choose from. Of many only those in sight are drawn. Arrow keys go from row to row; shift takes all rows between two. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, empty, total, first = 0, nearEnd } = props
  const table = useRowTable(props)
  const drawn = table.getRowModel().rows
  const { selected = NONE } = props
  const isSelectable = props.selected !== undefined
  // Kept while rows scroll by: the table itself would count anew for every frame.
  const chosen = useMemo(
    () => (selected.size === 0 ? 0 : drawn.filter(({ id }) => selected.has(id)).length),
    [drawn, selected],
  )
  // One function as long as the rows are the same: with another, all rows are measured anew.
  const getItemKey = useCallback((index: number) => drawn[index]?.id ?? index, [drawn])
  const areCards = window.matchMedia(CARDS).matches
  const haveLines = columns.some(({ wraps }) => wraps)
  const isSettled = useSettled(drawn.length > 0)
  const isAll = isSettled && nearEnd === undefined && drawn.length <= ALL_DRAWN
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: drawn.length,
    getScrollElement: () => frame.current,
    estimateSize: () => (areCards ? CARD_PX : ROW_PX),
    getItemKey,
    overscan: OVERSCAN,
    enabled: !isAll,
  })
  const seen = virtual.getVirtualItems()
  const shown = isAll ? drawn.map((_, index) => index) : seen.map(({ index }) => index)
  const lastSeen = virtual.range?.endIndex ?? -1
  useEffect(() => {
    if (drawn.length > 0 && lastSeen >= drawn.length - 2 * OVERSCAN) nearEnd?.()
  }, [lastSeen, drawn.length, nearEnd])

  // Rows keep what they were drawn with, so this must be one function that knows the newest table.
  const newest = useRef(drawn)
  useEffect(() => {
    newest.current = drawn
  }, [drawn])
  const select = useCallback(
    (index: number, event: unknown) => newest.current[index]?.getToggleSelectedHandler()(event),
    [],
  )
  const goToRow = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof Element)) return
    const from = rowOf(event.target)
    const to = from === undefined ? undefined : rowAfter(event.key, from, drawn.length)
    if (to === undefined) return
    event.preventDefault()
    const kind = event.target.localName
    if (!isAll) virtual.scrollToIndex(to)
    requestAnimationFrame(() => focusRow(frame.current, to, kind))
  }

  if (rows === undefined) return <Skeleton lines={8} />
  if (rows.length === 0) return empty
  const above = seen[0]?.start ?? 0
  const below = isAll ? 0 : virtual.getTotalSize() - (seen.at(-1)?.end ?? 0)
  return (
    <div
      ref={frame}
      className="table-frame"
      // Nothing else in it need take the focus, and keys have to scroll it.
      {...(!isSelectable && { tabIndex: 0 })}
      data-scroll-restoration-id={`table-${label}`}
    >
      <table
        className="table"
        aria-label={label}
        aria-rowcount={(total ?? drawn.length) + 1}
        onKeyDown={goToRow}
      >
        <TableHead
          columns={columns}
          sort={props.sort}
          onSort={props.onSort}
          {...(isSelectable && {
            selectAll: {
              isAll: chosen > 0 && chosen === drawn.length,
              isSome: chosen > 0,
              choose: () => table.toggleAllRowsSelected(),
            },
          })}
        />
        <tbody>
          <Spacer height={above} />
          {shown.map((index) => {
            const row = drawn[index]
            if (!row) return null
            return (
              <TableRow
                key={row.id}
                index={index}
                rowIndex={first + index + 2}
                row={row.original}
                columns={columns}
                measure={(areCards || haveLines) && !isAll ? virtual.measureElement : undefined}
                isSelected={row.getIsSelected()}
                selectName={isSelectable ? UI_TEXTS.selectRow(props.rowName(row.original)) : undefined}
                select={select}
              />
            )
          })}
          <Spacer height={below} />
        </tbody>
      </table>
    </div>
  )
}

const NO_ROWS: readonly never[] = []
const NONE: ReadonlySet<string> = new Set()

/** The table's model: its state is the owner's, which keeps it in the address. */
function useRowTable<Row extends object>({
  columns,
  rows,
  rowId,
  sort,
  onSort,
  ...props
}: DataTableProps<Row>) {
  const { selected = NONE, onSelect } = props
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return helper.columns(
      columns.map(({ id, header, isSortable = false }) =>
        helper.display({ id, header, enableSorting: isSortable }),
      ),
    )
  }, [columns])
  const rowSelection = useMemo<RowSelectionState>(
    () => Object.fromEntries([...selected].map((id) => [id, true])),
    [selected],
  )
  const sorting = useMemo<SortingState>(
    () => (sort ? [{ id: sort.id, desc: sort.isDescending }] : []),
    [sort],
  )
  return useTable({
    features,
    columns: definitions,
    data: rows ?? NO_ROWS,
    getRowId: rowId,
    manualSorting: true,
    enableSortingRemoval: false,
    enableSubRowSelection: false,
    state: { rowSelection, sorting },
    onRowSelectionChange: (change) => {
      const next = typeof change === 'function' ? change(rowSelection) : change
      onSelect?.(new Set(Object.keys(next).filter((id) => next[id])))
    },
    onSortingChange: (change) => {
      const [next] = typeof change === 'function' ? change(sorting) : change
      if (next) onSort?.({ id: next.id, isDescending: next.desc })
    },
  })
}

/** Room for the rows that are not drawn. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr className="table-spacer" style={{ height }} /> : null
}
