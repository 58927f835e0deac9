import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { useOffice } from '../office/office.js'
import { goesOn, usePages } from '../office/use-pages.js'
import { DataTable } from '../ui/data-table.js'
import { EmptyState } from '../ui/placeholders.js'
import type { TableColumn } from '../ui/table-column.js'
import { RelativeTime } from '../ui/values.js'
import { actorWords, detailWords, type EventLine, eventWords } from './event-line.js'
import { type EventType, TIMELINE_TEXTS } from './texts.js'

const PAGE_SIZE = 100

const COLUMNS: readonly TableColumn<EventLine>[] = [
  {
    id: 'type',
    header: TIMELINE_TEXTS.what,
    isTitle: true,
    share: 3,
    cell: (event) =>
      event.callId === null ? (
        eventWords(event)
      ) : (
        <Link to="/calls/$id" params={{ id: event.callId }}>
          {eventWords(event)}
        </Link>
      ),
  },
  {
    id: 'visitor',
    header: TIMELINE_TEXTS.visitor,
    share: 2,
    cell: ({ slug }) =>
      slug === null ? (
        TIMELINE_TEXTS.installation
      ) : (
        <Link to="/timeline/$slug" params={{ slug }}>
          {slug}
        </Link>
      ),
  },
  { id: 'detail', header: TIMELINE_TEXTS.detail, share: 3, cell: detailWords },
  { id: 'who', header: TIMELINE_TEXTS.who, share: 2, cell: ({ actor }) => actorWords(actor) },
  { id: 'when', header: TIMELINE_TEXTS.when, share: 2, cell: ({ at }) => <RelativeTime at={at} /> },
]
const OF_ONE = COLUMNS.filter(({ id }) => id !== 'visitor')

/** Events, the newest first, as they happen; those of one visitor, or of one type. */
export function EventsTable({
  label,
  slug,
  type,
}: {
  label: string
  slug?: string | undefined
  type?: EventType | undefined
}) {
  const office = useOffice()
  const found = usePages({
    queryKey: ['timeline', 'events', slug, type],
    load: (before) => office.timeline.list({ slug, types: type, limit: PAGE_SIZE, before }),
  })
  const { data, error, refetch } = found
  const rows = useMemo(() => data?.pages.flatMap(({ events }) => events), [data])
  if (error && !data) return <LoadFailed error={error} retry={refetch} />
  return (
    <DataTable
      label={label}
      columns={slug === undefined ? COLUMNS : OF_ONE}
      rows={rows}
      rowId={({ id }) => id}
      rowName={(event) => eventWords(event)}
      nearEnd={goesOn(found)}
      empty={<EmptyState icon="timeline" title={TIMELINE_TEXTS.nothing} text={TIMELINE_TEXTS.nothingText} />}
    />
  )
}
