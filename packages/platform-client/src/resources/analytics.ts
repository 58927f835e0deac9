import type { AnalyticsResult, QueryAnalytics } from '../api/analytics.js'
import type { RequestOptions } from '../request/request-options.js'

/** Figures about calls and the subscription. */
export interface Analytics {
  /** Answers each query, by name. `POST /analytics`: it changes nothing, but is sent once like every POST. */
  query(body: QueryAnalytics, options?: RequestOptions): Promise<AnalyticsResult[]>
}
