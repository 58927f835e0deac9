/** A day of a visitor. */
export interface SparkDay {
  day: string
  opens: number
  calls: number
}

const WIDTH = 8
const GAP = 2
const HEIGHT = 40

/** Opens and calls day by day, as small columns. `label` says the same in words. */
export function Sparkline({ days, label }: { days: readonly SparkDay[]; label: string }) {
  const most = Math.max(1, ...days.map(({ opens, calls }) => opens + calls))
  const heightOf = (count: number) => (count / most) * HEIGHT
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${days.length * (WIDTH + GAP) - GAP} ${HEIGHT + 1}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      {days.map(({ day, opens, calls }, index) => {
        const x = index * (WIDTH + GAP)
        const talked = heightOf(calls)
        const opened = heightOf(opens)
        return (
          <g key={day}>
            <rect className="spark-ground" x={x} y={HEIGHT} width={WIDTH} height={1} />
            <rect className="spark-opens" x={x} y={HEIGHT - talked - opened} width={WIDTH} height={opened} />
            <rect className="spark-calls" x={x} y={HEIGHT - talked} width={WIDTH} height={talked} />
          </g>
        )
      })}
    </svg>
  )
}
