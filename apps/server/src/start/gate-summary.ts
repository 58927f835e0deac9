import {
  type DeskStatus,
  type RaisedLimit,
  raisedLimits,
  raisedWebLimits,
  type WebGateSettings,
} from '@heyline/call-desk'
import type { CallSettings } from '../settings/call-settings.js'
import { guardNames } from '../settings/guard-values.js'
import { dollarsText } from '../settings/money-value.js'

/** Warnings about a desk that places no calls. */
export function stoppedCalls({ pausedAt, breaker }: Pick<DeskStatus, 'pausedAt' | 'breaker'>): string[] {
  const remedy = 'none is placed until heyline calls resume'
  return [
    ...(pausedAt ? [`Careful: calls are paused since ${pausedAt}: ${remedy}.`] : []),
    ...(breaker
      ? [
          `Careful: the circuit breaker stopped all calls at ${breaker.at} (${breaker.reason ?? 'no reason'}): ${remedy}; look at heyline calls status first.`,
        ]
      : []),
  ]
}

const budget = (amount: number | undefined, span: string) =>
  amount === undefined ? `any sum a ${span}` : `${dollarsText(amount)} USD a ${span}`

/** The gate for calls in the browser, in one line. */
export function webLine({ mode, maxSeconds, minutePrice, dayBudget, monthBudget }: WebGateSettings): string {
  const money =
    minutePrice > 0
      ? `, ${budget(dayBudget, 'day')}, ${budget(monthBudget, 'month')} at ${dollarsText(minutePrice)} USD a minute`
      : ''
  return `in the browser: ${mode === 'full' ? 'all limits are on' : 'no limits but the pause'}, at most ${maxSeconds} s a call${money}`
}

/** The gate for calls, in lines for the banner. */
export function gateLines({ gate, webGate, humanCheck, liveStatus }: CallSettings): string[] {
  const beside = [
    `${humanCheck ? `human check by ${humanCheck.kind}` : 'no human check'}, live status ${liveStatus ? 'on' : 'off'}`,
    webLine(webGate),
  ]
  if (gate.mode === 'simulated') {
    const money = gate.simulatedPrice === undefined ? 'do-not-call list' : 'do-not-call list, budgets'
    return [
      `simulated carrier: only number validity, one call in flight per number, ${money} and pause are on; CALL_GATE=full turns all on`,
      ...beside,
    ]
  }
  const countries = [...gate.countries].map(([code, price]) => `${code} (${dollarsText(price)} USD a minute)`)
  const hours = gate.hours
    ? `from ${gate.hours.from}:00 to ${gate.hours.to}:00 where it rings`
    : 'at any hour where it rings'
  return [
    `all guards are on: ${countries.join(', ')}, ${hours}`,
    `at most ${gate.maxSeconds} s a call, ${budget(gate.dayBudget, 'day')}, ${budget(gate.monthBudget, 'month')}`,
    ...beside,
  ]
}

const raisedWarning = (raised: readonly RaisedLimit[]): string[] =>
  raised.length > 0
    ? [`Careful: these let more calls pass than is recommended: ${guardNames(raised).join(', ')}.`]
    : []

/** The same where the desk is for browser calls alone. */
export const webGateWarnings = ({ webGate }: CallSettings): string[] =>
  raisedWarning(raisedWebLimits(webGate))

/** Warnings about the gate, to read before others open the page. */
export function gateWarnings({ gate, webGate, unheeded, humanCheck, namesHeyline }: CallSettings): string[] {
  const warnings = raisedWarning([...raisedLimits(gate), ...raisedWebLimits(webGate)])
  if (namesHeyline)
    warnings.push(
      'Careful: calls are real, and say that they come on behalf of Heyline. Set COMPANY_NAME to who calls.',
    )
  if (gate.mode === 'full' && !humanCheck)
    warnings.push(
      'Careful: HUMAN_CHECK is off. Scripts can ask for calls as people do, until a limit stops them.',
    )
  if (unheeded.length > 0)
    warnings.push(`These settings count only with CALL_GATE=full: ${unheeded.join(', ')}.`)
  return warnings
}
