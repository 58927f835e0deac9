import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { useOffice } from '../office/office.js'
import { DataTable } from '../ui/data-table.js'
import { Pager } from '../ui/pager.js'
import { EmptyState } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { SearchField } from '../ui/search-field.js'
import type { TableColumn } from '../ui/table-column.js'
import { VISITORS_TEXTS } from './texts.js'

interface VisitorLine {
  slug: string
  name: string
}

const PAGE_SIZE = 100

const COLUMNS: readonly TableColumn<VisitorLine>[] = [
  {
    id: 'name',
    header: VISITORS_TEXTS.name,
    isSortable: true,
    isTitle: true,
    cell: ({ slug, name }) => (
      <Link to="/visitors/$slug" params={{ slug }}>
        {name}
      </Link>
    ),
  },
  { id: 'slug', header: VISITORS_TEXTS.slug, isSortable: true, cell: ({ slug }) => <code>{slug}</code> },
]

/** All visitors, to look through and choose from. What is looked for stands in the address. */
export default function VisitorsScreen() {
  const office = useOffice()
  const navigate = useNavigate({ from: '/visitors' })
  const { text = '', sort = 'slug', order = 'asc', page = 1 } = useSearch({ from: '/visitors' })
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const first = (page - 1) * PAGE_SIZE
  const { data, error, refetch } = useQuery({
    queryKey: ['visitors', 'page', text, sort, order, page],
    queryFn: () => office.visitors.search({ text, limit: PAGE_SIZE, sort, order, offset: first }),
    placeholderData: keepPreviousData,
  })
  const sorted = useMemo(() => ({ id: sort, isDescending: order === 'desc' }), [sort, order])
  const total = data?.total ?? 0
  const turnTo = (next: number) => () => void navigate({ search: (now) => ({ ...now, page: next }) })
  return (
    <Screen title={VISITORS_TEXTS.title} fills>
      <div className="toolbar">
        <SearchField
          label={VISITORS_TEXTS.search}
          hint={VISITORS_TEXTS.searchHint}
          text={text}
          search={(next) =>
            void navigate({ search: { sort, order, text: next || undefined }, replace: true })
          }
        />
      </div>
      {error && !data ? (
        <LoadFailed error={error} retry={refetch} />
      ) : (
        <DataTable
          label={VISITORS_TEXTS.title}
          columns={COLUMNS}
          rows={data?.visitors}
          rowId={({ slug }) => slug}
          rowName={({ name }) => name}
          total={total}
          first={first}
          sort={sorted}
          onSort={({ id, isDescending }) =>
            void navigate({
              search: { text, sort: id === 'name' ? 'name' : 'slug', order: isDescending ? 'desc' : 'asc' },
            })
          }
          selected={selected}
          onSelect={select}
          empty={
            <EmptyState
              icon="visitors"
              title={text ? VISITORS_TEXTS.noMatch : VISITORS_TEXTS.none}
              text={text ? VISITORS_TEXTS.noMatchText : VISITORS_TEXTS.noneText}
            />
          }
        />
      )}
      {data && total > 0 && (
        <Pager
          label={VISITORS_TEXTS.title}
          first={first}
          shown={data.visitors.length}
          total={total}
          previous={page > 1 ? turnTo(page - 1) : undefined}
          next={first + data.visitors.length < total ? turnTo(page + 1) : undefined}
        />
      )}
    </Screen>
  )
}
