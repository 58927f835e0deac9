import { useNavigate, useSearch } from '@tanstack/react-router'
import { duration } from '../ui/formats.js'
import { SearchField } from '../ui/search-field.js'
import { Select } from '../ui/select.js'
import { CALLS_TEXTS, OUTCOME_WORDS } from './texts.js'

type Search = ReturnType<typeof useCallsSearch>
const useCallsSearch = () => useSearch({ from: '/calls' })

/** Stands for no filter: a list needs a value. */
const ALL = 'all'
const option = (value: string, label: string) => ({ value, label })

const FILTERS = [
  [
    'kind',
    CALLS_TEXTS.place,
    CALLS_TEXTS.allPlaces,
    [
      option('phone', CALLS_TEXTS.phone),
      option('web', CALLS_TEXTS.browser),
      option('chat', CALLS_TEXTS.chat),
    ],
  ],
  [
    'direction',
    CALLS_TEXTS.direction,
    CALLS_TEXTS.bothWays,
    [option('inbound', CALLS_TEXTS.theyCalled), option('outbound', CALLS_TEXTS.weCalled)],
  ],
  [
    'state',
    CALLS_TEXTS.state,
    CALLS_TEXTS.allStates,
    [
      option('running', CALLS_TEXTS.running),
      option('ended', CALLS_TEXTS.ended),
      option('refused', CALLS_TEXTS.refused),
      option('failed', CALLS_TEXTS.failed),
    ],
  ],
  [
    'outcome',
    CALLS_TEXTS.outcome,
    CALLS_TEXTS.allOutcomes,
    Object.entries(OUTCOME_WORDS).map(([value, label]) => option(value, label)),
  ],
  [
    'within',
    CALLS_TEXTS.within,
    CALLS_TEXTS.anyTime,
    [option('24h', CALLS_TEXTS.day), option('7d', CALLS_TEXTS.week), option('31d', CALLS_TEXTS.month)],
  ],
  [
    'min',
    CALLS_TEXTS.longest,
    CALLS_TEXTS.anyLength,
    ['10', '30', '60', '180'].map((seconds) =>
      option(seconds, CALLS_TEXTS.atLeast(duration(Number(seconds)))),
    ),
  ],
] as const satisfies readonly (readonly [keyof Search, string, string, { value: string; label: string }[]])[]

/** Which calls are looked for. It stands in the address. */
export function CallFilters() {
  const search = useCallsSearch()
  const navigate = useNavigate({ from: '/calls' })
  // Another search begins with its first page.
  const look = (change: Partial<Record<keyof Search, string | undefined>>, replace = false) =>
    void navigate({ search: { ...search, after: undefined, ...change } as Search, replace })
  return (
    <div className="toolbar">
      <SearchField
        label={CALLS_TEXTS.search}
        hint={CALLS_TEXTS.searchHint}
        text={search.text ?? ''}
        search={(text) => look({ text: text || undefined }, true)}
      />
      {FILTERS.map(([name, label, all, options]) => (
        <div key={name} className="filter">
          <Select
            label={label}
            isBare
            options={[option(ALL, all), ...options]}
            value={search[name] ?? ALL}
            choose={(value) => look({ [name]: value === ALL ? undefined : value })}
          />
        </div>
      ))}
    </div>
  )
}
