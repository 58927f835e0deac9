import type { Limit } from '../gate/gate-settings.js'
import { longestCost } from '../gate/longest-cost.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Which browser calls may begin. Money in millionths of a US dollar, times in milliseconds; `undefined` is no limit. */
export interface WebGateSettings {
  /** `simulated`: only the pause, the human check and, where a minute has a price, the budgets count. */
  mode: 'full' | 'simulated'
  addressLimits: readonly Limit[]
  /** Calls of one address at the same time. */
  addressConcurrent: number | undefined
  networkLimits: readonly Limit[]
  slugLimits: readonly Limit[]
  /** Of all calls. */
  startLimits: readonly Limit[]
  /** Of all calls. One network holds at most half of the places that the others leave, and may have one in any case. */
  concurrent: number | undefined
  dayBudget: number | undefined
  monthBudget: number | undefined
  /** Longest call, in seconds. */
  maxSeconds: number
  /** Highest price of a minute; 0 where calls cost nothing. */
  minutePrice: number
}

/** What the longest call may cost; undefined where calls cost nothing. */
export function worstCase({
  maxSeconds,
  minutePrice,
}: Pick<WebGateSettings, 'maxSeconds' | 'minutePrice'>): number | undefined {
  return minutePrice > 0 ? longestCost(maxSeconds, minutePrice) : undefined
}

/** Highest price of a minute where no other is set, and calls are not free: a platform's minute with its engines. */
export const DEFAULT_WEB_MINUTE_PRICE = 200_000

/** Longest browser call that can be set, in seconds. */
export const LONGEST_WEB_SECONDS = 3600

/** One person may try a dozen times in ten minutes, and have three calls at once. */
export const DEFAULT_WEB_GATE: WebGateSettings = {
  mode: 'full',
  addressLimits: [
    { most: 12, windowMs: 10 * MINUTE },
    { most: 40, windowMs: DAY },
  ],
  addressConcurrent: 3,
  networkLimits: [
    { most: 36, windowMs: 10 * MINUTE },
    { most: 200, windowMs: DAY },
  ],
  slugLimits: [
    { most: 60, windowMs: HOUR },
    { most: 200, windowMs: DAY },
  ],
  startLimits: [
    { most: 60, windowMs: MINUTE },
    { most: 1000, windowMs: DAY },
  ],
  concurrent: 20,
  dayBudget: 20_000_000,
  monthBudget: 200_000_000,
  maxSeconds: 600,
  minutePrice: DEFAULT_WEB_MINUTE_PRICE,
}

/** Nobody but this machine can call, and the calls cost nothing. */
export const SIMULATED_WEB_GATE: WebGateSettings = { ...DEFAULT_WEB_GATE, mode: 'simulated', minutePrice: 0 }
