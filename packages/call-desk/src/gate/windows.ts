/**
 * What was written by a clock that ran further ahead than clocks may differ counts in no window: there it would count until the time has caught
 * up, days perhaps, and nobody could call. The ledger alone counts it: money is bounded in any case.
 */
export { hasCome, isWithin } from '@heyline/database'
