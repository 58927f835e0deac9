/** How long the desk waits for what, in milliseconds. */
export interface Timings {
  /** Between two looks at the queue, where no notification came. */
  pollMs: number
  /** Bound of one look for a visitor. */
  lookupMs: number
  /** Bound of one request to the platform. */
  placeTimeoutMs: number
  /** How long a worker may hold a row without a word; must be longer than `lookupMs` and than `placeTimeoutMs`. */
  leaseMs: number
  /** After the request, how long a definite refusal is tried again: the page promises a call within 15 s. */
  promiseMs: number
  /** A request that was not sent in this time (the server was down) is given up: a call that late would surprise people. */
  staleMs: number
  /** Between two looks for calls without news. */
  reconcileMs: number
  /** How long a placed call may be without news until the platform is asked; later a tenth of its age, where that is longer. */
  newsMs: number
  /** A call without a final state is closed as `lost` after this time. */
  lostMs: number
  /** How long campaigns ask for nobody after the gate refused what it would refuse everybody: a limit of all calls, or the budget. */
  campaignWaitMs: number
}

export const DEFAULT_TIMINGS: Timings = {
  pollMs: 1000,
  lookupMs: 5000,
  placeTimeoutMs: 20_000,
  leaseMs: 45_000,
  promiseMs: 15_000,
  staleMs: 5 * 60_000,
  reconcileMs: 3000,
  newsMs: 5000,
  lostMs: 6 * 3_600_000,
  campaignWaitMs: 5000,
}
