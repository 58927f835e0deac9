import { useMemo, useState } from 'react'
import { useOffice } from '../office/office.js'
import { Badge } from '../ui/badge.js'
import { Switch } from '../ui/checkbox.js'
import { DataTable } from '../ui/data-table.js'
import type { TableColumn } from '../ui/table-column.js'
import { type BadRow, isGood, mended, type PreviewRow } from './import-rows.js'
import { IMPORT_TEXTS } from './texts.js'

type Mend = (row: BadRow, column: 'slug' | 'name', text: string) => void

/** The rows of a file, each good or with what is wrong. Slug and name of a bad one are mended here. */
export function ImportTable({
  rows,
  change,
}: {
  rows: readonly PreviewRow[]
  change(rows: PreviewRow[]): void
}) {
  const office = useOffice()
  const [onlyBad, setOnlyBad] = useState(false)
  const mend: Mend = (row, column, text) => {
    const next = mended(row, column, text, rows)
    const changed = rows.map((other) => (other === row ? next : other))
    change(changed)
    if (!isGood(next)) return
    void office.visitors.taken({ slugs: [next.visitor.slug] }).then((taken) => {
      if (taken.length > 0)
        change(changed.map((other) => (other === next ? { ...next, isStored: true } : other)))
    })
  }
  const columns = columnsFor(mend)
  const shown = useMemo(() => (onlyBad ? rows.filter((row) => !isGood(row)) : rows), [onlyBad, rows])
  return (
    <>
      <Switch
        label={IMPORT_TEXTS.onlyBad}
        checked={onlyBad}
        onChange={({ target }) => setOnlyBad(target.checked)}
      />
      <div className="import-rows">
        <DataTable
          label={IMPORT_TEXTS.rows}
          columns={columns}
          rows={shown}
          rowId={({ line }) => String(line)}
          rowName={({ line }) => `${IMPORT_TEXTS.line} ${line}`}
          empty={<p className="hint">{IMPORT_TEXTS.noneBad}</p>}
        />
      </div>
    </>
  )
}

const columnsFor = (mend: Mend): readonly TableColumn<PreviewRow>[] => [
  { id: 'line', header: IMPORT_TEXTS.line, align: 'end', cell: ({ line }) => line },
  ...(['slug', 'name'] as const).map(
    (column): TableColumn<PreviewRow> => ({
      id: column,
      header: IMPORT_TEXTS.names[column],
      share: 3,
      cell: (row) =>
        isGood(row) ? (
          row.visitor[column]
        ) : (
          <input
            className="input"
            aria-label={IMPORT_TEXTS.mend(IMPORT_TEXTS.names[column], row.line)}
            defaultValue={row.fields[column] ?? ''}
            onBlur={({ target }) => {
              if (target.value !== (row.fields[column] ?? '')) mend(row, column, target.value)
            }}
          />
        ),
    }),
  ),
  {
    id: 'state',
    header: IMPORT_TEXTS.state,
    share: 4,
    wraps: true,
    cell: (row) =>
      isGood(row) ? (
        <Badge tone={row.isStored ? 'wait' : 'good'}>
          {row.isStored ? IMPORT_TEXTS.isStored : IMPORT_TEXTS.good}
        </Badge>
      ) : (
        <Badge tone="bad">{row.reason}</Badge>
      ),
  },
]
