const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** At most so many in any span of this length; `Number.POSITIVE_INFINITY` means for ever. */
export interface Limit {
  most: number
  windowMs: number
}

/** An address that asks for too many different numbers is refused for a while. */
export interface NumbersLimit extends Limit {
  blockMs: number
}

/** When all dialling stops by itself, until somebody resumes it. */
export interface BreakerSettings {
  /** So many calls in the window, of which at least half failed. */
  failures: Limit | undefined
  /** So many calls in the window that lasted as long as a call may last. */
  longest: Limit | undefined
  /** The last 24 hours cost more than so many times the daily average of the seven days before. */
  spendFactor: number | undefined
}

/** What the gate lets pass. Money in millionths of a US dollar, times in milliseconds; `undefined` is no limit. */
export interface GateSettings {
  /**
   * `simulated` checks only that the number is valid and has no call in flight, the do-not-call list and the pause. With `simulatedPrice` it
   * checks the budgets too. No other setting here applies.
   */
  mode: 'full' | 'simulated'
  /** Highest price of a minute of a simulated call, if an engine costs money. */
  simulatedPrice?: number | undefined
  /** Countries (ISO 3166, two letters) that may be called, with the highest price of a minute there. */
  countries: ReadonlyMap<string, number>
  /** Beginnings of numbers that are never called: `+`, digits, and `?` for any digit. */
  blockedPrefixes: readonly string[]
  numberLimits: readonly Limit[]
  slugLimits: readonly Limit[]
  slugConcurrent: number | undefined
  addressLimits: readonly Limit[]
  addressNumbers: NumbersLimit | undefined
  networkLimits: readonly Limit[]
  prefixLimits: readonly Limit[]
  countryLimits: readonly Limit[]
  /** Of all calls. */
  startLimits: readonly Limit[]
  concurrent: number | undefined
  dayBudget: number | undefined
  monthBudget: number | undefined
  /** What part of the budgets all calls may come to with a call of these, 0 to 1; the rest is left to others. All of it where it is left out. */
  budgetShare?: number
  /** Longest call, in seconds. */
  maxSeconds: number
  /** The hours in which a phone may ring, in the called number's own time zone: from the first full hour until just before the second. */
  hours: { from: number; to: number } | undefined
  breaker: BreakerSettings
  /** The platform is part of this installation: a call that ends because one of our processes stops or is gone opens no breaker. */
  ownPlatform?: boolean
  /** See `CostRules`. */
  costsArePart?: boolean
}

/** Highest price of a minute for countries without a price of their own: the platform with its engines, plus a line in North America. */
export const DEFAULT_MINUTE_PRICE = 250_000

/** Longest call that can be set, in seconds. */
export const LONGEST_SECONDS = 300

/**
 * Exchanges in rural America whose carriers earn from calls to free conference lines, and share the income with them. A minute there can cost
 * many times an ordinary one, and whoever runs such a line earns from each call to it (docs/call-desk.md has the sources).
 */
const CONFERENCE_EXCHANGES = ['+1605475', '+1605562', '+1641715', '+1712432', '+1712770', '+1712775']

export const DEFAULT_GATE: GateSettings = {
  mode: 'full',
  countries: new Map([
    ['US', DEFAULT_MINUTE_PRICE],
    ['CA', DEFAULT_MINUTE_PRICE],
  ]),
  // Premium, personal and conference services that share +1 with ordinary numbers.
  blockedPrefixes: [
    '+1900',
    '+1976',
    '+1???976',
    '+1500',
    '+1521',
    '+1522',
    '+1533',
    '+1544',
    '+1566',
    '+1577',
    '+1588',
    '+1600',
    '+1700',
    '+1710',
    ...CONFERENCE_EXCHANGES,
  ],
  numberLimits: [
    { most: 1, windowMs: 2 * MINUTE },
    { most: 2, windowMs: HOUR },
    { most: 3, windowMs: DAY },
    { most: 5, windowMs: 30 * DAY },
  ],
  slugLimits: [
    { most: 3, windowMs: DAY },
    { most: 5, windowMs: Number.POSITIVE_INFINITY },
  ],
  slugConcurrent: 1,
  addressLimits: [
    { most: 2, windowMs: HOUR },
    { most: 3, windowMs: DAY },
  ],
  addressNumbers: { most: 3, windowMs: HOUR, blockMs: DAY },
  networkLimits: [{ most: 6, windowMs: HOUR }],
  prefixLimits: [
    { most: 3, windowMs: HOUR },
    { most: 5, windowMs: DAY },
  ],
  countryLimits: [{ most: 20, windowMs: HOUR }],
  startLimits: [
    { most: 5, windowMs: MINUTE },
    { most: 50, windowMs: DAY },
  ],
  concurrent: 5,
  dayBudget: 10_000_000,
  monthBudget: 100_000_000,
  maxSeconds: 180,
  hours: { from: 9, to: 20 },
  breaker: {
    failures: { most: 5, windowMs: 2 * MINUTE },
    longest: { most: 3, windowMs: 10 * MINUTE },
    spendFactor: 3,
  },
}

/** The simulated carrier costs nothing and rings nobody. */
export const SIMULATED_GATE: GateSettings = { ...DEFAULT_GATE, mode: 'simulated' }
