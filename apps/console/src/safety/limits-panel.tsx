import { useQuery } from '@tanstack/react-query'
import { LoadFailed } from '../office/load-failed.js'
import { type Office, useOffice } from '../office/office.js'
import { Badge } from '../ui/badge.js'
import { money } from '../ui/formats.js'
import { Skeleton } from '../ui/placeholders.js'
import { limitWords, spanWords } from './limit-words.js'
import { PlainTable } from './plain-table.js'
import { LIMITS_TEXTS } from './texts.js'

type Limits = Awaited<ReturnType<Office['safety']['limits']>>
type Limit = Limits['limits'][number]

/** Every limit of the gate: what it means, its value and default, and how much of it is used. */
export function LimitsPanel() {
  const office = useOffice()
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', 'limits'],
    queryFn: () => office.safety.limits(),
  })
  if (!data) return error ? <LoadFailed error={error} retry={refetch} /> : <Skeleton lines={8} />
  const isSimulated = data.mode.phone === 'simulated'
  return (
    <div className="panel safety-panel">
      <p className="hint">{data.where}</p>
      {isSimulated && <p className="hint">{LIMITS_TEXTS.simulated}</p>}
      {(['phone', 'web'] as const).map((kind) => (
        <LimitTable
          key={kind}
          name={LIMITS_TEXTS[kind]}
          limits={data.limits.filter((limit) => limit.kind === kind)}
        />
      ))}
    </div>
  )
}

const HEADS = [
  { text: LIMITS_TEXTS.meaning },
  { text: LIMITS_TEXTS.value },
  { text: LIMITS_TEXTS.normal },
  { text: LIMITS_TEXTS.use },
]

function LimitTable({ name, limits }: { name: string; limits: readonly Limit[] }) {
  const rows = limits.map((limit) => ({
    id: limit.setting,
    cells: [
      <>
        {limit.meaning}
        <code>{limit.setting}</code>
      </>,
      <>
        <Value value={limit.value} />
        {limit.raised && <Badge tone="wait">{LIMITS_TEXTS.raised}</Badge>}
      </>,
      <Value key="default" value={limit.default} />,
      limit.use.map((use) => <Use key={use.span} use={use} unit={limit.unit} />),
    ],
  }))
  return (
    <section>
      <h2>{name}</h2>
      <PlainTable label={name} heads={HEADS} rows={rows} />
    </section>
  )
}

const Value = ({ value }: { value: string }) => (
  <ul className="limit-value">
    {limitWords(value).map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

function Use({ use: { span, most, used }, unit }: { use: Limit['use'][number]; unit: Limit['unit'] }) {
  const written = (amount: number) => (unit === 'microusd' ? money(amount) : amount.toLocaleString('en-GB'))
  const window = span === null ? LIMITS_TEXTS.now : spanWords(span)
  if (used === null) return <p>{LIMITS_TEXTS.mostOnly(written(most), window)}</p>
  const said = LIMITS_TEXTS.of(written(used), written(most), window)
  return (
    <p className="use">
      <meter
        min={0}
        max={most}
        high={most * 0.8}
        optimum={0}
        value={Math.min(used, most)}
        aria-label={said}
      />
      <span>{said}</span>
    </p>
  )
}
