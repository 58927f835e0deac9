import type { Db } from '@heyline/database'
import type { GateSettings } from '../gate/gate-settings.js'
import { mayRing, zonesOf } from '../gate/quiet-hours.js'

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
