import { useState } from 'react'
import { money } from '../ui/formats.js'
import { scaleTo } from './scale.js'
import type { Spend } from './spend.js'
import { SPEND_TEXTS } from './texts.js'

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
/** So many names of days are below the chart at most, in a wide window. */
const NAMES_AT_MOST = 8
/** Micro-dollars: one cent, the scale of days without any spend. */
const LEAST = 10_000

const KINDS = [
  { kind: 'phone', name: SPEND_TEXTS.phone, budget: SPEND_TEXTS.budgetPhone },
  { kind: 'web', name: SPEND_TEXTS.web, budget: SPEND_TEXTS.budgetWeb },
] as const

/** The spend of each day beside the budgets of a day. It says nothing that the table does not, which is what screen readers read. */
export function SpendChart({ days, budgets }: Spend) {
  const [shown, show] = useState<number>()
  const columns = days.map(({ day, phone, web }) => ({
    name: DAY.format(new Date(`${day}T00:00:00Z`)),
    phone: phone.spent + phone.reserved,
    web: web.spent + web.reserved,
  }))
  const limits = KINDS.flatMap(({ kind, budget }) => {
    const { day } = budgets[kind]
    return day === null ? [] : [{ kind, budget, day }]
  })
  const highest = Math.max(
    ...columns.flatMap(({ phone, web }) => [phone, web]),
    ...limits.map(({ day }) => day),
  )
  const { lines, end } = scaleTo(highest, LEAST)
  const share = (amount: number) => percent(amount / end)
  const width = 1 / columns.length
  const everyNth = Math.ceil(columns.length / NAMES_AT_MOST)
  const pointedAt = shown === undefined ? undefined : columns[shown]
  return (
    <figure className="chart" aria-label={SPEND_TEXTS.chart}>
      <div className="chart-plot" aria-hidden="true">
        {lines.map((line) => (
          <span className="chart-amount" key={line} style={{ insetBlockEnd: share(line) }}>
            {money(line)}
          </span>
        ))}
        <svg className="chart-drawing" aria-hidden="true" onPointerLeave={() => show(undefined)}>
          {lines.map((line) => (
            <line key={line} x2="100%" y1={share(end - line)} y2={share(end - line)} />
          ))}
          {columns.map((column, index) => (
            <g key={column.name} data-shown={index === shown || undefined} onPointerEnter={() => show(index)}>
              <rect className="chart-day" x={percent(index * width)} width={percent(width)} height="100%" />
              {KINDS.map(({ kind }, place) => (
                <rect
                  key={kind}
                  data-kind={kind}
                  x={percent((index + 0.1 + place * 0.4) * width)}
                  y={share(end - column[kind])}
                  width={percent(0.4 * width)}
                  height={share(column[kind])}
                />
              ))}
            </g>
          ))}
          {limits.map(({ kind, day }) => (
            <line key={kind} data-kind={kind} x2="100%" y1={share(end - day)} y2={share(end - day)} />
          ))}
        </svg>
        {limits.map(({ kind, budget, day }) => (
          <span className="chart-budget" key={kind} style={{ insetBlockEnd: share(day) }}>
            {budget}
          </span>
        ))}
        {columns.map(
          ({ name }, index) =>
            (columns.length - 1 - index) % everyNth === 0 && (
              <span
                className="chart-name"
                key={name}
                style={{ insetInlineStart: percent((index + 0.5) * width) }}
              >
                {name}
              </span>
            ),
        )}
      </div>
      <figcaption className="chart-key">
        <span>{pointedAt?.name ?? SPEND_TEXTS.ofADay}</span>
        {KINDS.map(({ kind, name }) => (
          <span className="chart-kind" key={kind} data-kind={kind}>
            {name}
            {pointedAt && ` ${money(pointedAt[kind])}`}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

const percent = (share: number) => `${share * 100}%`
