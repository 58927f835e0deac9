import type { LimitRow } from '@heyline/back-office'
import { type Limit, raisedLimits, raisedWebLimits } from '@heyline/call-desk/settings'
import { callEnvironment } from './call-environment.js'
import type { CallSettings } from './call-settings.js'
import { GUARD_NAMES, guardNames, spanText, valueText } from './guard-values.js'
import { dollarsText } from './money-value.js'
import { SETTING_TEXTS } from './setting.js'

/** The windows in which budgets and places are counted. */
const SPANS: Readonly<Record<string, string | null>> = {
  dayBudget: '24h',
  monthBudget: '31d',
  concurrent: null,
  slugConcurrent: null,
  addressConcurrent: null,
}

type Gates = Pick<CallSettings, 'gate' | 'webGate'>

/** Every limit of the gate as people write and read it: the setting, its value, its default and its meaning. */
export function limitRows({ gate, webGate }: Gates): LimitRow[] {
  const raised = guardNames([...raisedLimits(gate), ...raisedWebLimits(webGate)])
  return Object.entries(GUARD_NAMES).map(([name, setting]) => {
    const value = guardOf(name, { gate, webGate })
    const { default: normal = '', meaning = '' } = textsOf(setting)
    return {
      name,
      setting,
      kind: name.startsWith('web.') ? 'web' : 'phone',
      meaning: firstSentence(meaning),
      value: written(setting, value),
      default: normal,
      raised: raised.includes(setting),
      unit: setting.endsWith('_USD') ? 'microusd' : 'calls',
      windows: windowsOf(name, value),
    }
  })
}

/** What stands at `web.concurrent`, `breaker.longest` or `hours`. */
function guardOf(name: string, { gate, webGate }: Gates): unknown {
  const [first = '', second] = name.split('.')
  if (second === undefined) return Reflect.get(gate, first)
  return Reflect.get(first === 'web' ? webGate : gate.breaker, second)
}

const textsOf = (setting: string) => {
  const schema = Object.entries(callEnvironment).find(([known]) => known === setting)?.[1]
  return (schema && SETTING_TEXTS.get(schema)) ?? { meaning: '' }
}

/** Up to the first full stop that ends a sentence, without the quotes of Markdown. */
const firstSentence = (text: string): string =>
  (/^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll('`', '')

function written(setting: string, value: unknown): string {
  if (value instanceof Map)
    return [...value].map(([country, price]) => `${country}=${dollarsText(Number(price))}`).join(',')
  if (typeof value === 'number' && setting.endsWith('_USD')) return dollarsText(value)
  return valueText(value)
}

function windowsOf(name: string, value: unknown): LimitRow['windows'] {
  const span = SPANS[name.replace('web.', '')]
  if (span !== undefined) return typeof value === 'number' ? [{ span, most: value }] : []
  if (!Array.isArray(value) || !value.every(isLimit)) return []
  return value.map(({ most, windowMs }) => ({ span: spanText(windowMs), most }))
}

const isLimit = (value: unknown): value is Limit =>
  typeof value === 'object' && value !== null && 'most' in value && 'windowMs' in value
