/** The part of what visitors need, too, that campaigns may use: of calls at once, starts and money. */
export const CAMPAIGN_SHARE = 3 / 4

/** So much of a budget; undefined where there is none. */
export const partOfBudget = (budget: number | undefined, share: number): number | undefined =>
  budget === undefined ? undefined : Math.floor(budget * share)
