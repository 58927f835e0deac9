import { Select } from '../ui/select.js'
import type { FileColumn } from './import-rows.js'
import { IMPORT_TEXTS } from './texts.js'

const COLUMNS = ['slug', 'name', 'system', 'first_message', 'listed'] as const
const OPTIONS = [
  { value: 'none', label: IMPORT_TEXTS.unused },
  ...COLUMNS.map((value) => ({ value, label: IMPORT_TEXTS.names[value] })),
] as const

/** Which part of a file's header is which column. One column is one part: whoever chooses it takes it from another. */
export function ColumnMapping({
  header,
  columns,
  choose,
}: {
  header: readonly string[]
  columns: readonly (FileColumn | null)[]
  choose(columns: (FileColumn | null)[]): void
}) {
  return (
    <fieldset className="toolbar mapping">
      <legend className="label">{IMPORT_TEXTS.columns}</legend>
      {header.map((name, index) => (
        <Select
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a file may have one name
          key={index}
          label={IMPORT_TEXTS.column(name)}
          options={OPTIONS}
          value={columns[index] ?? 'none'}
          choose={(value) => {
            const chosen = value === 'none' ? null : value
            choose(columns.map((column, at) => (at === index ? chosen : column === chosen ? null : column)))
          }}
        />
      ))}
    </fieldset>
  )
}
