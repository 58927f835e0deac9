/** One measured figure beside the limit or peer that it is read against. */
export interface Figure {
  what: string
  value: string
  beside: string
}

/** Prints figures as a table of text. */
export function printTable(title: string, figures: readonly Figure[]) {
  const rows = [{ what: title, value: 'measured', beside: 'beside' }, ...figures]
  const widths = (['what', 'value', 'beside'] as const).map((column) =>
    Math.max(...rows.map((row) => row[column].length)),
  )
  const [what = 0, value = 0, beside = 0] = widths
  for (const [index, row] of rows.entries()) {
    console.log(`${row.what.padEnd(what)}  ${row.value.padStart(value)}  ${row.beside}`)
    if (index === 0) console.log(`${'-'.repeat(what)}  ${'-'.repeat(value)}  ${'-'.repeat(beside)}`)
  }
  console.log()
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The value that `share` (0 to 1) of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
export const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
