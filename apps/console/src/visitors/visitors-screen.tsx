import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { useOffice } from '../office/office.js'
import { useOperator } from '../office/use-operator.js'
import { Button } from '../ui/button.js'
import { DataTable } from '../ui/data-table.js'
import { LateMenu } from '../ui/late-menu.js'
import { Pager } from '../ui/pager.js'
import { EmptyState } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { SearchField } from '../ui/search-field.js'
import { onSingleKey } from '../ui/single-keys.js'
import type { TableColumn } from '../ui/table-column.js'
import { RelativeTime } from '../ui/values.js'
import { BulkBar } from './bulk-bar.js'
import { Filters } from './filters.js'
import { RowMenu } from './row-menu.js'
import './visitors.css'
import { VISITORS_TEXTS } from './texts.js'
import { useVisitorChanges } from './use-visitor-changes.js'
import type { VisitorLine } from './visitor-line.js'
import { visitorPage } from './visitor-page.js'

const ExportEntries = lazy(() => import('./export-entries.js'))

const SORTS = ['name', 'slug', 'created'] as const

const columnsFor = (mayChange: boolean): readonly TableColumn<VisitorLine>[] => [
  {
    id: 'name',
    header: VISITORS_TEXTS.name,
    isSortable: true,
    isTitle: true,
    share: 3,
    cell: ({ slug, name }) => (
      <Link to="/visitors/$slug" params={{ slug }}>
        {name}
      </Link>
    ),
  },
  {
    id: 'slug',
    header: VISITORS_TEXTS.slug,
    isSortable: true,
    share: 3,
    cell: ({ slug }) => <code>{slug}</code>,
  },
  {
    id: 'prompt',
    header: VISITORS_TEXTS.prompt,
    cell: ({ hasPrompt }) => (hasPrompt ? VISITORS_TEXTS.yes : VISITORS_TEXTS.no),
  },
  {
    id: 'listed',
    header: VISITORS_TEXTS.listed,
    cell: ({ listed }) => (listed ? VISITORS_TEXTS.yes : VISITORS_TEXTS.no),
  },
  {
    id: 'created',
    header: VISITORS_TEXTS.created,
    isSortable: true,
    share: 2,
    cell: ({ createdAt }) => createdAt && <RelativeTime at={createdAt} />,
  },
  {
    id: 'more',
    header: VISITORS_TEXTS.actions,
    isMenu: true,
    cell: (visitor) => <RowMenu visitor={visitor} mayChange={mayChange} />,
  },
]

/** All visitors, to look through and choose from. What is looked for stands in the address. */
export default function VisitorsScreen() {
  const office = useOffice()
  const { mayChange } = useOperator()
  const changes = useVisitorChanges()
  const navigate = useNavigate({ from: '/visitors' })
  const search = useSearch({ from: '/visitors' })
  const { text = '', sort = 'slug', order = 'asc', page = 1, listed, prompt } = search
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...visitorPage(office, search),
    placeholderData: keepPreviousData,
  })
  const columns = useMemo(() => columnsFor(mayChange), [mayChange])
  const sorted = useMemo(() => ({ id: sort, isDescending: order === 'desc' }), [sort, order])
  const add = useEffectEvent(() => void navigate({ to: '/add-visitor' }))
  useEffect(() => (mayChange ? onSingleKey('n', add) : undefined), [mayChange])
  // Of the rows that are shown: while another page is on its way, these are still the rows of the one before.
  const { first = 0, total = 0 } = data ?? {}
  const isFiltered = text !== '' || listed !== undefined || prompt !== undefined
  const turnTo = (next: number) =>
    isPlaceholderData ? undefined : () => void navigate({ search: (now) => ({ ...now, page: next }) })
  return (
    <Screen
      title={VISITORS_TEXTS.title}
      fills
      actions={
        mayChange && (
          <>
            <Button
              look="primary"
              icon="add"
              aria-keyshortcuts="n"
              onClick={() => void navigate({ to: '/add-visitor' })}
            >
              {VISITORS_TEXTS.add}
            </Button>
            <Button icon="upload" onClick={() => void navigate({ to: '/import-visitors' })}>
              {VISITORS_TEXTS.importCsv}
            </Button>
            <LateMenu
              button={<Button icon="download">{VISITORS_TEXTS.exportCsv}</Button>}
              menu={(button) => <ExportEntries button={button} />}
            />
          </>
        )
      }
    >
      <div className="toolbar">
        <SearchField
          label={VISITORS_TEXTS.search}
          hint={VISITORS_TEXTS.searchHint}
          text={text}
          search={(next) =>
            void navigate({
              search: (now) => ({ ...now, text: next || undefined, page: undefined }),
              replace: true,
            })
          }
        />
        <Filters
          listed={listed}
          prompt={prompt}
          choose={(filter) => void navigate({ search: (now) => ({ ...now, ...filter, page: undefined }) })}
        />
      </div>
      <BulkBar slugs={[...selected]} changes={changes} mayChange={mayChange} done={() => select(new Set())} />
      {data?.isMore && <p className="hint">{VISITORS_TEXTS.many(total)}</p>}
      {error && !data ? (
        <LoadFailed error={error} retry={refetch} />
      ) : (
        <DataTable
          label={VISITORS_TEXTS.title}
          columns={columns}
          rows={data?.visitors}
          rowId={({ slug }) => slug}
          rowName={({ name }) => name}
          total={total}
          first={first}
          sort={sorted}
          onSort={({ id, isDescending }) =>
            void navigate({
              search: (now) => ({
                ...now,
                sort: SORTS.find((known) => known === id),
                order: isDescending ? 'desc' : 'asc',
                page: undefined,
              }),
            })
          }
          selected={selected}
          onSelect={select}
          empty={
            <EmptyState
              icon="visitors"
              title={isFiltered ? VISITORS_TEXTS.noMatch : VISITORS_TEXTS.none}
              text={isFiltered ? VISITORS_TEXTS.noMatchText : VISITORS_TEXTS.noneText}
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
