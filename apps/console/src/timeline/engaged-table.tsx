import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { type Office, useOffice } from '../office/office.js'
import { goesOn, usePages } from '../office/use-pages.js'
import { DataTable } from '../ui/data-table.js'
import { duration } from '../ui/formats.js'
import { EmptyState } from '../ui/placeholders.js'
import type { TableColumn } from '../ui/table-column.js'
import { RelativeTime } from '../ui/values.js'
import { TIMELINE_TEXTS } from './texts.js'

type Engaged = Awaited<ReturnType<Office['timeline']['engaged']>>['visitors'][number]
type Filter = NonNullable<Parameters<Office['timeline']['engaged']>[0]>['filter']

const PAGE_SIZE = 100

const COLUMNS: readonly TableColumn<Engaged>[] = [
  {
    id: 'visitor',
    header: TIMELINE_TEXTS.visitor,
    isTitle: true,
    share: 3,
    cell: ({ slug, name }) => (
      <Link to="/timeline/$slug" params={{ slug }}>
        {name ?? slug}
      </Link>
    ),
  },
  { id: 'opens', header: TIMELINE_TEXTS.opens, align: 'end', cell: ({ opens }) => opens },
  { id: 'calls', header: TIMELINE_TEXTS.calls, align: 'end', cell: ({ calls }) => calls },
  { id: 'talked', header: TIMELINE_TEXTS.talks, align: 'end', cell: ({ talked }) => talked },
  {
    id: 'minutes',
    header: TIMELINE_TEXTS.minutes,
    align: 'end',
    cell: ({ seconds }) => duration(seconds),
  },
  {
    id: 'seen',
    header: TIMELINE_TEXTS.lastSeen,
    share: 2,
    cell: ({ lastSeenAt }) => lastSeenAt && <RelativeTime at={lastSeenAt} />,
  },
]

/** Who was here, the one seen last first. */
export function EngagedTable({ filter }: { filter: Filter }) {
  const office = useOffice()
  const found = usePages({
    queryKey: ['timeline', 'visitors', filter],
    load: (after) => office.timeline.engaged({ filter, limit: PAGE_SIZE, after }),
  })
  const { data, error, refetch } = found
  const rows = useMemo(() => data?.pages.flatMap(({ visitors }) => visitors), [data])
  if (error && !data) return <LoadFailed error={error} retry={refetch} />
  return (
    <DataTable
      label={TIMELINE_TEXTS.visitors}
      columns={COLUMNS}
      rows={rows}
      rowId={({ slug }) => slug}
      rowName={({ slug, name }) => name ?? slug}
      nearEnd={goesOn(found)}
      empty={
        <EmptyState
          icon="timeline"
          title={filter ? TIMELINE_TEXTS.noMatch : TIMELINE_TEXTS.nobody}
          text={filter ? TIMELINE_TEXTS.noMatchText : TIMELINE_TEXTS.nobodyText}
        />
      }
    />
  )
}
