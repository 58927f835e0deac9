import { CommandError } from '../terminal/command-error.js'

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time as people give it, as ISO 8601: `30s`, `30m`, `24h`, `7d` before now, a date, or a date with a time. */
export function timeOf(text: string | undefined, option: string, now = Date.now()): string | undefined {
  if (text === undefined) return undefined
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const time = count === undefined ? calendarTime(text) : now - Number(count) * (UNITS[unit] ?? 0)
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new CommandError('usage', `${option} is a time like 24h, 7d or 2026-11-20T09:00Z, not "${text}"`)
}

/** Without a zone it is UTC, as all times are shown. */
function calendarTime(text: string): number {
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return Number.NaN
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(text.slice(10)) || text.length === 10
  return Date.parse(`${text.replace(' ', 'T')}${zoned ? '' : 'Z'}`)
}
