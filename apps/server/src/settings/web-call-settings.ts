import { DEFAULT_WEB_MINUTE_PRICE, longestCost, type WebGateSettings } from '@heyline/call-desk/settings'
import { SettingError } from '@heyline/kit/setting-error'
import { hasHostedEngine } from './engine-settings.js'
import type { Environment } from './environment.js'
import { dollarsText } from './money-value.js'

/** The gate before calls in the browser. */
export function webGateOf(values: Environment, mode: WebGateSettings['mode']): WebGateSettings {
  return {
    mode,
    addressLimits: values.WEB_CALL_LIMIT_ADDRESS,
    addressConcurrent: values.WEB_CALL_LIMIT_ADDRESS_CONCURRENT,
    networkLimits: values.WEB_CALL_LIMIT_NETWORK,
    slugLimits: values.WEB_CALL_LIMIT_SLUG,
    startLimits: values.WEB_CALL_LIMIT_STARTS,
    concurrent: values.WEB_CALL_LIMIT_CONCURRENT,
    dayBudget: values.WEB_CALL_LIMIT_DAY_USD,
    monthBudget: values.WEB_CALL_LIMIT_MONTH_USD,
    maxSeconds: values.WEB_CALL_LIMIT_SECONDS,
    minutePrice: values.WEB_CALL_PRICE ?? (isHosted(values) ? DEFAULT_WEB_MINUTE_PRICE : 0),
  }
}

/** Whether a call is somebody else's work: of a hosted platform, or of an engine that is not on this machine. */
const isHosted = (values: Environment): boolean => Boolean(values.PLATFORM_URL) || hasHostedEngine(values)

/** Throws a `SettingError` for a budget that is smaller than the longest call: none would ever begin. */
export function refuseSmallWebBudgets({
  maxSeconds,
  minutePrice,
  dayBudget,
  monthBudget,
}: WebGateSettings): void {
  const longest = longestCost(maxSeconds, minutePrice)
  const budgets = { WEB_CALL_LIMIT_DAY_USD: dayBudget, WEB_CALL_LIMIT_MONTH_USD: monthBudget }
  for (const [name, budget] of Object.entries(budgets))
    if (budget !== undefined && budget < longest)
      throw new SettingError(
        name,
        `${dollarsText(budget)} USD fits no call: one of WEB_CALL_LIMIT_SECONDS=${maxSeconds} at ${dollarsText(minutePrice)} USD a minute (WEB_CALL_PRICE) may cost ${dollarsText(longest)} USD; raise it, or make calls shorter`,
      )
}
