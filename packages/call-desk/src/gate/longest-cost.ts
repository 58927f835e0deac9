/** What the longest call may cost: every minute that has begun has its price, in millionths of a US dollar. */
export const longestCost = (maxSeconds: number, minutePrice: number): number =>
  Math.ceil(maxSeconds / 60) * minutePrice
