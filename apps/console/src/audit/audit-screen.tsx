import { useMemo, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { type Office, useOffice } from '../office/office.js'
import { useOperator } from '../office/use-operator.js'
import { goesOn, usePages } from '../office/use-pages.js'
import { DataTable } from '../ui/data-table.js'
import { EmptyState } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { SearchField } from '../ui/search-field.js'
import { Select } from '../ui/select.js'
import type { TableColumn } from '../ui/table-column.js'
import { RelativeTime } from '../ui/values.js'
import { ACTIONS, AUDIT_TEXTS } from './texts.js'

type Line = Awaited<ReturnType<Office['installation']['audit']>>['lines'][number]

const PAGE_SIZE = 100
const EVERYTHING = ''
const CHOICES = [
  { value: EVERYTHING, label: AUDIT_TEXTS.everything as string },
  ...Object.entries(ACTIONS).map(([value, label]) => ({ value, label })),
]

const COLUMNS: readonly TableColumn<Line>[] = [
  {
    id: 'action',
    header: AUDIT_TEXTS.action,
    isTitle: true,
    share: 2,
    cell: ({ action }) => ACTIONS[action] ?? action,
  },
  { id: 'at', header: AUDIT_TEXTS.when, cell: ({ at }) => <RelativeTime at={at} /> },
  { id: 'actor', header: AUDIT_TEXTS.who, share: 2, cell: ({ actor }) => actor },
  { id: 'address', header: AUDIT_TEXTS.address, cell: ({ address }) => address ?? '' },
  {
    id: 'detail',
    header: AUDIT_TEXTS.detail,
    share: 3,
    wraps: true,
    cell: ({ detail }) => detailText(detail),
  },
]

/** `role: editor, before: viewer`. */
const detailText = (detail: Line['detail']): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ')

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (value === null || typeof value !== 'object') return ACTIONS[String(value)] ?? String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name} ${valueText(part)}`)
    .join(', ')
}

/** Who changed what. What is looked for stands in no address: it may be an address of a person. */
export default function AuditScreen() {
  const { isOwner } = useOperator()
  const [text, search] = useState('')
  const [action, choose] = useState(EVERYTHING)
  const found = useAudit({ text, action }, isOwner)
  const { data, error, refetch } = found
  const lines = useMemo(() => data?.pages.flatMap((page) => page.lines), [data])
  if (!isOwner)
    return (
      <Screen title={AUDIT_TEXTS.title}>
        <EmptyState icon="audit" title={AUDIT_TEXTS.ownersOnly} text={AUDIT_TEXTS.ownersOnlyText} />
      </Screen>
    )
  const isFiltered = text !== '' || action !== EVERYTHING
  return (
    <Screen title={AUDIT_TEXTS.title} intro={AUDIT_TEXTS.intro} fills>
      <div className="toolbar">
        <SearchField label={AUDIT_TEXTS.search} hint={AUDIT_TEXTS.searchHint} text={text} search={search} />
        <div className="filter">
          <Select label={AUDIT_TEXTS.action} isBare options={CHOICES} value={action} choose={choose} />
        </div>
      </div>
      {error && !data ? (
        <LoadFailed error={error} retry={refetch} />
      ) : (
        <DataTable
          label={AUDIT_TEXTS.title}
          columns={COLUMNS}
          rows={lines}
          rowId={({ id }) => id}
          rowName={(line) => ACTIONS[line.action] ?? line.action}
          nearEnd={goesOn(found)}
          empty={
            <EmptyState
              icon="audit"
              title={isFiltered ? AUDIT_TEXTS.noMatch : AUDIT_TEXTS.none}
              text={isFiltered ? AUDIT_TEXTS.noMatchText : AUDIT_TEXTS.noneText}
            />
          }
        />
      )}
    </Screen>
  )
}

function useAudit({ text, action }: { text: string; action: string }, mayLook: boolean) {
  const office = useOffice()
  return usePages({
    queryKey: ['audit', text, action],
    load: (before) =>
      office.installation.audit({
        limit: PAGE_SIZE,
        ...(text && { text }),
        ...(action && { action }),
        before,
      }),
    keepsPrevious: true,
    enabled: mayLook,
  })
}
