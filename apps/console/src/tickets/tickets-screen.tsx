import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { EditorsOnly } from '../office/editors-only.js'
import { LoadFailed } from '../office/load-failed.js'
import { useOffice } from '../office/office.js'
import { codeOf, textOf } from '../office/refusal.js'
import { goesOn, usePages } from '../office/use-pages.js'
import { DataTable } from '../ui/data-table.js'
import { EmptyState } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import type { TableColumn } from '../ui/table-column.js'
import { RelativeTime } from '../ui/values.js'
import { TICKETS_TEXTS as TEXTS } from './texts.js'
import { categoryWords, subjectWords, type TicketLine, writerWords } from './ticket-line.js'

const PAGE_SIZE = 50

const COLUMNS: readonly TableColumn<TicketLine>[] = [
  {
    id: 'subject',
    header: TEXTS.subject,
    isTitle: true,
    share: 4,
    wraps: true,
    cell: (ticket) => (
      <Link to="/tickets/$id" params={{ id: ticket.id }}>
        {subjectWords(ticket)}
      </Link>
    ),
  },
  { id: 'category', header: TEXTS.category, share: 2, cell: categoryWords },
  { id: 'who', header: TEXTS.who, share: 2, cell: writerWords },
  { id: 'when', header: TEXTS.when, share: 2, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]

/** What clients of the voice platform wrote, the newest first, as it comes. */
export default function TicketsScreen() {
  return (
    <EditorsOnly title={TEXTS.title} icon="tickets" texts={TEXTS}>
      <Tickets />
    </EditorsOnly>
  )
}

function Tickets() {
  const office = useOffice()
  const found = usePages({
    queryKey: ['tickets', 'list'],
    load: (before) => office.tickets.list({ limit: PAGE_SIZE, before }),
  })
  const { data, error, refetch } = found
  const tickets = useMemo(() => data?.pages.flatMap((page) => page.tickets), [data])
  if (codeOf(error) === 'not_supported')
    return (
      <Screen title={TEXTS.title}>
        <EmptyState icon="tickets" title={TEXTS.hosted} text={textOf(error, '')} />
      </Screen>
    )
  return (
    <Screen title={TEXTS.title} intro={TEXTS.intro} fills>
      {error && !data ? (
        <LoadFailed error={error} retry={refetch} />
      ) : (
        <DataTable
          label={TEXTS.title}
          columns={COLUMNS}
          rows={tickets}
          rowId={({ id }) => id}
          rowName={(ticket) => subjectWords(ticket)}
          nearEnd={goesOn(found)}
          empty={<EmptyState icon="tickets" title={TEXTS.none} text={TEXTS.noneText} />}
        />
      )}
    </Screen>
  )
}
