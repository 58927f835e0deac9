import type { GateSettings } from '@heyline/call-desk'
import { SettingError } from '@heyline/kit/setting-error'
import { dollarsText } from './money-value.js'

/** Throws a `SettingError` for a budget which the longest call to some country does not fit: none would ever be placed there. */
export function refuseSmallBudgets({ countries, maxSeconds, dayBudget, monthBudget }: GateSettings): void {
  const minutes = Math.ceil(maxSeconds / 60)
  const budgets = { CALL_LIMIT_DAY_USD: dayBudget, CALL_LIMIT_MONTH_USD: monthBudget }
  for (const [code, price] of countries)
    for (const [name, budget] of Object.entries(budgets))
      if (budget !== undefined && budget < minutes * price)
        throw new SettingError(
          name,
          `${dollarsText(budget)} USD fits no call to ${code}: one of CALL_LIMIT_SECONDS=${maxSeconds} at ${dollarsText(price)} USD a minute (CALL_PRICE, CALL_COUNTRIES) may cost ${dollarsText(minutes * price)} USD; raise it, or make calls shorter`,
        )
}
