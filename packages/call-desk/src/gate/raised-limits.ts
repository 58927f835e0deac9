import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { writeAudit } from './audit.js'
import { DEFAULT_GATE, type GateSettings, type Limit } from './gate-settings.js'

/** A setting that lets more pass than its default. */
export interface RaisedLimit {
  setting: string
  value: unknown
  normal: unknown
}

/** The limits of many windows. */
const LISTS = [
  'numberLimits',
  'slugLimits',
  'addressLimits',
  'networkLimits',
  'prefixLimits',
  'countryLimits',
  'startLimits',
] as const satisfies (keyof GateSettings)[]

/** For values where a higher one lets more pass, and none lets everything pass. */
const AMOUNTS = [
  'slugConcurrent',
  'concurrent',
  'dayBudget',
  'monthBudget',
  'maxSeconds',
] as const satisfies (keyof GateSettings)[]

/** The settings that let more pass than the defaults; none if calls are simulated. */
export function raisedLimits(settings: GateSettings, normal: GateSettings = DEFAULT_GATE): RaisedLimit[] {
  if (settings.mode === 'simulated') return []
  const raised: RaisedLimit[] = []
  const note = (setting: string, value: unknown, usual: unknown): void => {
    raised.push({ setting, value: value ?? 'none', normal: usual })
  }
  for (const [country, price] of settings.countries) {
    if (!normal.countries.has(country)) note(`countries.${country}`, price, 'none')
  }
  const missing = normal.blockedPrefixes.filter((prefix) => !settings.blockedPrefixes.includes(prefix))
  if (missing.length > 0) note('blockedPrefixes', settings.blockedPrefixes, normal.blockedPrefixes)
  for (const name of LISTS) {
    const looser = normal[name].some((usual) => !settings[name].some((limit) => isWithin(limit, usual)))
    if (looser) note(name, settings[name].map(readable), normal[name].map(readable))
  }
  for (const name of AMOUNTS) {
    if ((settings[name] ?? Number.POSITIVE_INFINITY) > (normal[name] ?? Number.POSITIVE_INFINITY))
      note(name, settings[name], normal[name])
  }
  if (isLooserNumbers(settings, normal))
    note('addressNumbers', settings.addressNumbers, normal.addressNumbers)
  if (isLongerDay(settings.hours, normal.hours)) note('hours', settings.hours, normal.hours)
  raised.push(...raisedBreaker(settings, normal))
  return raised
}

/** Writes each of them to the audit, once per start. */
export async function auditRaisedLimits(
  db: Db,
  raised: readonly RaisedLimit[],
  logger: Logger,
): Promise<void> {
  if (raised.length === 0) return
  await db.transaction(async (tx) => {
    for (const limit of raised) await writeAudit(tx, 'limit_raised', { ...limit })
  })
  logger.warn({ settings: raised.map(({ setting }) => setting) }, 'call limits stand above their defaults')
}

/** Whether everything that passes the first limit also passes the second. */
export function isWithin(limit: Limit, usual: Limit): boolean {
  return limit.most <= usual.most && limit.windowMs >= usual.windowMs
}

/** JSON has no infinity. */
export function readable({ most, windowMs }: Limit): { most: number; windowMs: number | 'ever' } {
  return { most, windowMs: Number.isFinite(windowMs) ? windowMs : 'ever' }
}

function isLooserNumbers({ addressNumbers: set }: GateSettings, { addressNumbers: usual }: GateSettings) {
  if (!usual) return false
  return !set || !isWithin(set, usual) || set.blockMs < usual.blockMs
}

function isLongerDay(set: GateSettings['hours'], usual: GateSettings['hours']): boolean {
  if (!usual) return false
  return !set || set.from < usual.from || set.to > usual.to
}

function raisedBreaker({ breaker: set }: GateSettings, { breaker: usual }: GateSettings): RaisedLimit[] {
  const raised: RaisedLimit[] = []
  for (const name of ['failures', 'longest'] as const) {
    const was = usual[name]
    const now = set[name]
    if (was && !(now && isWithin(now, was)))
      raised.push({ setting: `breaker.${name}`, value: now ?? 'none', normal: was })
  }
  if ((set.spendFactor ?? Number.POSITIVE_INFINITY) > (usual.spendFactor ?? Number.POSITIVE_INFINITY))
    raised.push({
      setting: 'breaker.spendFactor',
      value: set.spendFactor ?? 'none',
      normal: usual.spendFactor,
    })
  return raised
}
