/** Micro-dollars (millionths of a US dollar) in words: cents where they say enough, more places for what is less. */
export function money(micros: number): string {
  const dollars = micros / 1_000_000
  const isSmall = dollars !== 0 && Math.abs(dollars) < 0.1
  return new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: isSmall ? 4 : 2,
  }).format(dollars)
}

/** Seconds as `0:07`, `12:05` or `1:02:03`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const [hours = 0, ...rest] = parts
  const said = hours > 0 ? [hours, ...rest] : rest
  return said.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto', style: 'long' })

/** A time against another, both in ms since the epoch: `5 minutes ago`, `yesterday`, `just now`. */
export function relativeTime(at: number, now: number): string {
  const seconds = (at - now) / 1000
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length)
  if (!step) return 'just now'
  const [unit, length] = step
  return RELATIVE.format(Math.trunc(seconds / length), unit)
}

const EXACT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

/** A time in full, with the reader's time zone. */
export const exactTime = (at: number): string => EXACT.format(at)
