import type { GateSettings } from './gate-settings.js'

/** What the longest call may cost: every minute that has begun has its price, in millionths of a US dollar. */
export const longestCost = (maxSeconds: number, minutePrice: number): number =>
  Math.ceil(maxSeconds / 60) * minutePrice

/** What the longest call to the dearest country may cost. */
export const dearestCost = ({
  countries,
  maxSeconds,
}: Pick<GateSettings, 'countries' | 'maxSeconds'>): number =>
  longestCost(maxSeconds, Math.max(0, ...countries.values()))
