/** When to dial. */
export interface SchedulePlan {
  /** Not before; ISO 8601. */
  earliestAt: string
  /** Not after; ISO 8601. */
  latestAt?: string
}
