/** A moment as a calendar in one time zone shows it. */
export interface CalendarParts {
  year: string
  /** `January`. */
  month: string
  /** 1 to 12. */
  monthNumber: number
  day: number
  /** `Monday`. */
  weekday: string
  /** 0 to 23. */
  hour: number
  minute: number
  second: number
}

const OPTIONS = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  weekday: 'long',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  calendar: 'gregory',
} as const

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** One formatter for each time zone. Making one is slow, and a prompt may name its zone a thousand times. The runtime knows a limited number of zones. */
const formatters = new Map<string, Intl.DateTimeFormat>()
/** Newer runtimes also know offsets from UTC (`+05:30`). There are thousands of them, and each formatter takes 30 KB for ever. */
const ZONE_NAME = /^[a-z]/

/** The parts of a moment, in English. A time zone that the runtime does not know by name counts as UTC. */
export function calendarParts(at: Date, timeZone = 'UTC'): CalendarParts {
  const parts = Object.fromEntries(
    formatter(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const { year = '', month = '', weekday = '' } = parts
  return {
    year,
    month,
    monthNumber: MONTHS.indexOf(month) + 1,
    weekday,
    day: Number(parts.day),
    hour: Number(parts.hour),
    minute: Number(parts.minute),
    second: Number(parts.second),
  }
}

const DIRECTIVES: Record<string, (parts: CalendarParts) => string | number> = {
  Y: ({ year }) => year,
  y: ({ year }) => year.slice(-2),
  B: ({ month }) => month,
  b: ({ month }) => month.slice(0, 3),
  m: ({ monthNumber }) => monthNumber,
  d: ({ day }) => day,
  e: ({ day }) => String(day).padStart(2),
  A: ({ weekday }) => weekday,
  a: ({ weekday }) => weekday.slice(0, 3),
  H: ({ hour }) => hour,
  I: ({ hour }) => hour % 12 || 12,
  l: ({ hour }) => String(hour % 12 || 12).padStart(2),
  M: ({ minute }) => minute,
  S: ({ second }) => second,
  p: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  P: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  '%': () => '%',
}

/** Writes a date as `strftime` does. Numbers have two digits, or as many as needed with `-` (`%-d`). Unknown directives stay. */
export const formatDate = (parts: CalendarParts, format: string): string =>
  format.replace(/%(-?)([A-Za-z%])/g, (whole, dash: string, name: string) => {
    const written = Object.hasOwn(DIRECTIVES, name) ? DIRECTIVES[name]?.(parts) : undefined
    if (written === undefined) return whole
    if (typeof written === 'string') return dash ? written.trim() : written
    return dash ? String(written) : String(written).padStart(2, '0')
  })

function formatter(timeZone: string): Intl.DateTimeFormat {
  // Case does not matter in the names of zones, so each zone has one entry.
  const zone = timeZone.toLowerCase()
  const known = formatters.get(zone)
  if (known) return known
  if (!ZONE_NAME.test(zone)) return formatter('UTC')
  try {
    const made = new Intl.DateTimeFormat('en-US', { ...OPTIONS, timeZone: zone })
    formatters.set(zone, made)
    return made
  } catch {
    return formatter('UTC')
  }
}
