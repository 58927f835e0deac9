import { systemClock } from '@heyline/kit/clock'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { useOffice } from '../office/office.js'
import { useOperator } from '../office/use-operator.js'
import { Button } from '../ui/button.js'
import { DataTable } from '../ui/data-table.js'
import { DownloadLink } from '../ui/download-link.js'
import { Pager } from '../ui/pager.js'
import { EmptyState } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import type { TableColumn } from '../ui/table-column.js'
import { RelativeTime } from '../ui/values.js'
import { CallFilters } from './call-filters.js'
import {
  type CallLine,
  CallState,
  costWords,
  outcomeWords,
  placeWords,
  TalkTime,
  whoseWords,
} from './call-line.js'
import { callsAsked, csvAddress } from './calls-asked.js'
import './calls.css'
import { CALLS_TEXTS } from './texts.js'

const NumberDialog = lazy(() => import('./number-dialog.js'))

const PAGE_SIZE = 50

const COLUMNS: readonly TableColumn<CallLine>[] = [
  {
    id: 'slug',
    header: CALLS_TEXTS.visitor,
    isTitle: true,
    cell: (call) => (
      <Link to="/calls/$id" params={{ id: call.id }}>
        {whoseWords(call)}
      </Link>
    ),
  },
  { id: 'place', header: CALLS_TEXTS.place, cell: placeWords },
  { id: 'state', header: CALLS_TEXTS.state, cell: (call) => <CallState {...call} /> },
  { id: 'outcome', header: CALLS_TEXTS.outcome, cell: ({ outcome }) => outcomeWords(outcome) },
  { id: 'duration', header: CALLS_TEXTS.duration, align: 'end', cell: (call) => <TalkTime {...call} /> },
  { id: 'cost', header: CALLS_TEXTS.cost, align: 'end', cell: costWords },
  { id: 'when', header: CALLS_TEXTS.when, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]

/** All calls, the newest first, as they happen. What is looked for stands in the address. */
export default function CallsScreen() {
  const office = useOffice()
  const { mayChange } = useOperator()
  const navigate = useNavigate({ from: '/calls' })
  const { after, ...search } = useSearch({ from: '/calls' })
  const [isFinding, setFinding] = useState(false)
  // Where the pages before this one began: the API knows the way on only.
  const [trail, setTrail] = useState<readonly (string | undefined)[]>([])
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['calls', 'page', search, after],
    queryFn: () => office.calls.search({ ...callsAsked(search, systemClock.now()), limit: PAGE_SIZE, after }),
    placeholderData: keepPreviousData,
  })
  const turnTo = (next: string | undefined, walked: readonly (string | undefined)[]) =>
    // The way on is that of the rows shown, so it holds once they are those of this page.
    isPlaceholderData
      ? undefined
      : () => {
          setTrail(walked)
          void navigate({ search: { ...search, after: next } })
        }
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  const first = after === undefined ? 0 : Math.max(1, trail.length) * PAGE_SIZE
  return (
    <Screen
      title={CALLS_TEXTS.title}
      fills
      actions={
        mayChange && (
          <>
            <Button icon="search" onClick={() => setFinding(true)}>
              {CALLS_TEXTS.findNumber}
            </Button>
            <DownloadLink
              href={csvAddress(search, systemClock.now())}
              file="calls.csv"
              hint={CALLS_TEXTS.exportHint}
            >
              {CALLS_TEXTS.export}
            </DownloadLink>
          </>
        )
      }
    >
      <CallFilters />
      {error && !data ? (
        <LoadFailed error={error} retry={refetch} />
      ) : (
        <DataTable
          label={CALLS_TEXTS.title}
          columns={COLUMNS}
          rows={data?.calls}
          rowId={({ id }) => id}
          rowName={(call) => CALLS_TEXTS.callOf(whoseWords(call))}
          total={data?.total.count ?? 0}
          first={first}
          empty={
            <EmptyState
              icon="calls"
              title={isFiltered ? CALLS_TEXTS.noMatch : CALLS_TEXTS.none}
              text={isFiltered ? CALLS_TEXTS.noMatchText : CALLS_TEXTS.noneText}
            />
          }
        />
      )}
      {data?.total.atLeast && <p className="hint">{CALLS_TEXTS.manyMore(data.total.count)}</p>}
      {data && data.calls.length > 0 && (
        <Pager
          label={CALLS_TEXTS.title}
          first={first}
          shown={data.calls.length}
          total={Math.max(data.total.count, first + data.calls.length)}
          previous={after === undefined ? undefined : turnTo(trail.at(-1), trail.slice(0, -1))}
          next={data.next === null ? undefined : turnTo(data.next, [...trail, after])}
        />
      )}
      {isFinding && (
        <Suspense>
          <NumberDialog close={() => setFinding(false)} />
        </Suspense>
      )}
    </Screen>
  )
}
