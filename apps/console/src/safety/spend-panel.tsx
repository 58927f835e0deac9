import { useQuery } from '@tanstack/react-query'
import { LoadFailed } from '../office/load-failed.js'
import { type Office, useOffice } from '../office/office.js'
import { money } from '../ui/formats.js'
import { Skeleton } from '../ui/placeholders.js'
import { PlainTable } from './plain-table.js'
import type { Spend } from './spend.js'
import { SpendChart } from './spend-chart.js'
import { SPEND_TEXTS } from './texts.js'

type Status = Awaited<ReturnType<Office['calls']['status']>>

/** What calls cost day by day, against the budgets: a chart, and the same as a table. */
export function SpendPanel() {
  const office = useOffice()
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', 'spend'],
    queryFn: () => office.safety.spend({ days: 31 }),
  })
  const { data: status } = useQuery({ queryKey: ['calls', 'status'], queryFn: () => office.calls.status() })
  if (!data) return error ? <LoadFailed error={error} retry={refetch} /> : <Skeleton lines={8} />
  return (
    <div className="panel safety-panel">
      {status && <Budgets status={status} budgets={data.budgets} />}
      <SpendChart days={data.days} budgets={data.budgets} />
      <p className="hint">{SPEND_TEXTS.note}</p>
      <details>
        <summary>{SPEND_TEXTS.asTable}</summary>
        <SpendTable days={data.days} />
      </details>
    </div>
  )
}

const sumOf = ({ spent, reserved }: { spent: number; reserved: number }) => spent + reserved

function Budgets({ status, budgets }: { status: Status; budgets: Spend['budgets'] }) {
  const said = (spent: number, budget: number | null) =>
    SPEND_TEXTS.of(money(spent), budget === null ? SPEND_TEXTS.noBudget : money(budget))
  const row = (name: string, { day, month }: Status['web'], budget: Spend['budgets']['web']) => ({
    id: name,
    cells: [name, said(sumOf(day), budget.day), said(sumOf(month), budget.month)],
  })
  return (
    <PlainTable
      label={SPEND_TEXTS.budgets}
      heads={[{ text: SPEND_TEXTS.kind }, { text: SPEND_TEXTS.last24 }, { text: SPEND_TEXTS.last31 }]}
      rows={[row(SPEND_TEXTS.phone, status, budgets.phone), row(SPEND_TEXTS.web, status.web, budgets.web)]}
    />
  )
}

const HEADS = [
  { text: SPEND_TEXTS.day },
  { text: SPEND_TEXTS.phone, isNumber: true },
  { text: SPEND_TEXTS.web, isNumber: true },
  { text: SPEND_TEXTS.reserved, isNumber: true },
]

function SpendTable({ days }: Pick<Spend, 'days'>) {
  const rows = days.toReversed().map(({ day, phone, web }) => ({
    id: day,
    cells: [day, money(phone.spent), money(web.spent), money(phone.reserved + web.reserved)],
  }))
  return <PlainTable label={SPEND_TEXTS.chart} heads={HEADS} rows={rows} />
}
