import { useQuery } from '@tanstack/react-query'
import { LoadFailed } from '../office/load-failed.js'
import { useOffice } from '../office/office.js'
import { EmptyState, Skeleton } from '../ui/placeholders.js'
import { PlainTable } from './plain-table.js'
import { REFUSALS_TEXTS } from './texts.js'

/** How often the gate refused, and for what. */
export function RefusalsPanel() {
  const office = useOffice()
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', 'refusals'],
    queryFn: () => office.safety.refusals(),
  })
  if (!data) return error ? <LoadFailed error={error} retry={refetch} /> : <Skeleton lines={6} />
  if (data.length === 0)
    return <EmptyState icon="safety" title={REFUSALS_TEXTS.none} text={REFUSALS_TEXTS.noneText} />
  const rows = data.map(({ kind, refusal, reason, day, month }) => ({
    id: `${kind} ${refusal}`,
    cells: [
      <>
        {reason}
        <code>{refusal}</code>
      </>,
      REFUSALS_TEXTS[kind],
      day.toLocaleString('en-GB'),
      month.toLocaleString('en-GB'),
    ],
  }))
  return <PlainTable label={REFUSALS_TEXTS.title} heads={HEADS} rows={rows} />
}

const HEADS = [
  { text: REFUSALS_TEXTS.reason },
  { text: REFUSALS_TEXTS.place },
  { text: REFUSALS_TEXTS.day, isNumber: true },
  { text: REFUSALS_TEXTS.month, isNumber: true },
]
