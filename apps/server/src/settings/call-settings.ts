import {
  defaultDisclosure,
  disclosureOf as filled,
  type GateSettings,
  longestCost,
  type RetentionDays,
  type WebGateSettings,
} from '@heyline/call-desk/settings'
import { SettingError } from '@heyline/kit/setting-error'
import { callDeskDuty } from './call-desk-duty.js'
import type { Environment } from './environment.js'
import { type HumanCheckSettings, humanCheckSettings } from './human-check-settings.js'
import { isForThisMachineOnly } from './loopback.js'
import { dollarsText } from './money-value.js'
import { refuseSmallWebBudgets, webGateOf } from './web-call-settings.js'

/** Throws a `SettingError` for a budget that is smaller than the longest call to some country: no call would ever be placed there. */
function refuseSmallBudgets(
  { countries, maxSeconds, dayBudget, monthBudget }: GateSettings,
  priceNames = 'CALL_PRICE, CALL_COUNTRIES',
): void {
  const budgets = { CALL_LIMIT_DAY_USD: dayBudget, CALL_LIMIT_MONTH_USD: monthBudget }
  for (const [code, price] of countries) {
    const longest = longestCost(maxSeconds, price)
    for (const [name, budget] of Object.entries(budgets))
      if (budget !== undefined && budget < longest)
        throw new SettingError(
          name,
          `${dollarsText(budget)} USD fits no call to ${code}: one of CALL_LIMIT_SECONDS=${maxSeconds} at ${dollarsText(price)} USD a minute (${priceNames}) may cost ${dollarsText(longest)} USD; raise it, or make calls shorter`,
        )
  }
}

/** What the call desk lets pass, says and shows. */
export interface CallSettings {
  gate: GateSettings
  /** Which calls in the browser may begin. */
  webGate: WebGateSettings
  /** Names of guards that are set, and that a simulated gate does not look at. */
  unheeded: readonly string[]
  /** Spoken first in every call. */
  disclosure: string
  /** Who calls, as the pocket phone shows it. */
  company: string
  /** Calls are real, and the disclosure names us as the caller: nobody has said who calls. */
  namesHeyline: boolean
  humanCheck?: HumanCheckSettings
  /** The page follows its call. */
  liveStatus: boolean
  /** How long things are kept, in days. */
  retention: RetentionDays
}

/** Stands for the company's name in a disclosure. */
const COMPANY = '{company}'

/** Longest disclosure, in characters: half a minute of speech. */
const DISCLOSURE_MOST = 500

export function callSettings(values: Environment, given: Readonly<Record<string, unknown>>): CallSettings {
  const real = values.PLATFORM_URL ? 'PLATFORM_URL' : values.CARRIER === 'simulated' ? undefined : 'CARRIER'
  if (real && values.CALL_GATE === 'simulated')
    throw new SettingError(
      'CALL_GATE',
      `simulated is for the simulated carrier of the built-in platform, and ${real} is set to what places real calls: unset one of them`,
    )
  const isOpen = !isForThisMachineOnly(values)
  const mode = values.CALL_GATE ?? (real || isOpen ? 'full' : 'simulated')
  const webGate = webGateOf(values, mode === 'full' || isOpen ? 'full' : 'simulated')
  const costs = webGate.minutePrice > 0
  const gate = {
    ...gateOf(values, mode),
    ...(mode === 'simulated' && costs && { simulatedPrice: webGate.minutePrice }),
  }
  const duty = callDeskDuty(values)
  if (duty === 'all') {
    if (mode === 'full') refuseSmallBudgets(gate)
    else if (costs)
      refuseSmallBudgets(
        { ...gate, countries: new Map([['the pocket phone', webGate.minutePrice]]) },
        'WEB_CALL_PRICE',
      )
  }
  if (duty !== 'off') refuseSmallWebBudgets(webGate)
  return {
    gate,
    webGate,
    unheeded: Object.keys(given).filter(
      (name) =>
        !(costs && IS_BUDGET.test(name)) &&
        ((mode === 'simulated' && isGuardOfTheFullGate(name)) ||
          (webGate.mode === 'simulated' && IS_WEB_LIMIT.test(name))),
    ),
    disclosure: disclosureOf(values),
    company: values.COMPANY_NAME,
    namesHeyline:
      real !== undefined &&
      given.COMPANY_NAME === undefined &&
      (values.CALL_DISCLOSURE ?? COMPANY).includes(COMPANY),
    humanCheck: humanCheckSettings(values, real !== undefined),
    liveStatus: values.LIVE_STATUS && !values.CALL_WEBHOOK_URL,
    retention: {
      transcripts: values.CALL_TRANSCRIPT_DAYS,
      addresses: values.CALL_ADDRESS_DAYS,
      refused: values.CALL_REFUSED_DAYS,
      records: values.CALL_RECORD_DAYS,
      audit: values.CALL_AUDIT_DAYS,
    },
  }
}

const IS_BUDGET = /^CALL_LIMIT_(DAY|MONTH)_USD$/

/** Limits of calls in the browser that count in the full gate only. */
const IS_WEB_LIMIT = /^WEB_CALL_LIMIT_(?!SECONDS$|DAY_USD$|MONTH_USD$)\w+$/

const isGuardOfTheFullGate = (name: string): boolean =>
  /^CALL_(COUNTRIES|PRICE|BLOCKED_PREFIXES|HOURS|LIMIT_(?!SECONDS$)\w+|BREAKER_\w+)$/.test(name)

function gateOf(values: Environment, mode: GateSettings['mode']): GateSettings {
  return {
    mode,
    countries: new Map([...values.CALL_COUNTRIES].map(([code, price]) => [code, price ?? values.CALL_PRICE])),
    blockedPrefixes: values.CALL_BLOCKED_PREFIXES,
    numberLimits: values.CALL_LIMIT_NUMBER,
    slugLimits: values.CALL_LIMIT_SLUG,
    slugConcurrent: values.CALL_LIMIT_SLUG_CONCURRENT,
    addressLimits: values.CALL_LIMIT_ADDRESS,
    addressNumbers: values.CALL_LIMIT_ADDRESS_NUMBERS,
    networkLimits: values.CALL_LIMIT_NETWORK,
    prefixLimits: values.CALL_LIMIT_PREFIX,
    countryLimits: values.CALL_LIMIT_COUNTRY,
    startLimits: values.CALL_LIMIT_STARTS,
    concurrent: values.CALL_LIMIT_CONCURRENT,
    dayBudget: values.CALL_LIMIT_DAY_USD,
    monthBudget: values.CALL_LIMIT_MONTH_USD,
    maxSeconds: values.CALL_LIMIT_SECONDS,
    hours: values.CALL_HOURS,
    breaker: {
      failures: values.CALL_BREAKER_FAILURES,
      longest: values.CALL_BREAKER_LONGEST,
      spendFactor: values.CALL_BREAKER_SPEND,
    },
  }
}

function disclosureOf({ CALL_DISCLOSURE, COMPANY_NAME }: Environment): string {
  if (CALL_DISCLOSURE === undefined) return defaultDisclosure(COMPANY_NAME)
  const unknown = CALL_DISCLOSURE.match(/\{[^{}]*\}/g)?.find((found) => found !== COMPANY)
  if (unknown)
    throw new SettingError(
      'CALL_DISCLOSURE',
      `holds ${unknown.slice(0, 40)}, but only ${COMPANY} is filled in: use that, or leave it out`,
    )
  const disclosure = filled(CALL_DISCLOSURE, COMPANY_NAME)
  if (disclosure.length <= DISCLOSURE_MOST) return disclosure
  throw new SettingError(
    'CALL_DISCLOSURE',
    `begins every call, and is longer than ${DISCLOSURE_MOST} characters: make it shorter`,
  )
}
