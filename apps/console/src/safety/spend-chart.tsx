import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { money } from '../ui/formats.js'
import type { Spend } from './spend.js'
import { SPEND_TEXTS } from './texts.js'

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const HEIGHT_PX = 280

/** The spend of each day beside the budgets of a day. It says nothing that the table does not. */
export default function SpendChart({ days, budgets }: Spend) {
  const bars = days.map(({ day, phone, web }) => ({
    day: DAY.format(new Date(`${day}T00:00:00Z`)),
    phone: phone.spent + phone.reserved,
    web: web.spent + web.reserved,
  }))
  const most = Math.max(budgets.phone.day ?? 0, budgets.web.day ?? 0)
  return (
    <figure className="chart" aria-label={SPEND_TEXTS.chart}>
      <ResponsiveContainer width="100%" height={HEIGHT_PX}>
        <BarChart data={bars} accessibilityLayer>
          <CartesianGrid vertical={false} stroke="var(--hairline)" />
          <XAxis dataKey="day" tickLine={false} stroke="var(--muted)" minTickGap={24} />
          <YAxis
            tickFormatter={money}
            tickLine={false}
            axisLine={false}
            stroke="var(--muted)"
            width={72}
            domain={[0, (highest: number) => Math.max(highest, most) * 1.05]}
          />
          <Tooltip formatter={(value) => money(Number(value))} isAnimationActive={false} />
          <Legend />
          {KINDS.map(
            ({ kind, budget, colour }) =>
              budgets[kind].day !== null && (
                <ReferenceLine
                  key={kind}
                  y={budgets[kind].day}
                  stroke={colour}
                  strokeDasharray="4 4"
                  label={{ value: budget, position: 'insideBottomRight', fill: 'var(--muted)' }}
                />
              ),
          )}
          {KINDS.map(({ kind, name, colour }) => (
            <Bar key={kind} dataKey={kind} name={name} fill={colour} isAnimationActive={false} />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </figure>
  )
}

const KINDS = [
  { kind: 'phone', name: SPEND_TEXTS.phone, budget: SPEND_TEXTS.budgetPhone, colour: 'var(--accent)' },
  { kind: 'web', name: SPEND_TEXTS.web, budget: SPEND_TEXTS.budgetWeb, colour: 'var(--wait)' },
] as const
