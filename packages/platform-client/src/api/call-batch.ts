import type { Call } from './call.js'
import type { Customer } from './customer.js'

/** What became of a batch. */
export interface CallBatch {
  results: Call[]
  /** The customers who got no call, and why. */
  errors: { customer: Customer; error: string }[]
  /** How many more calls the subscription allows at once. */
  subscriptionLimits?: {
    /** Calls of this batch wait for others to end. */
    concurrencyBlocked?: boolean
    concurrencyLimit?: number
    remainingConcurrentCalls?: number
  }
}
