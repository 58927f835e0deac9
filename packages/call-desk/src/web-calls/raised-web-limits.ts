import { isWithin, type RaisedLimit, readable } from '../gate/raised-limits.js'
import { DEFAULT_WEB_GATE, type WebGateSettings } from './web-gate-settings.js'

const LISTS = ['addressLimits', 'networkLimits', 'slugLimits', 'startLimits'] as const

/** Where more is laxer, and none is laxest. */
const AMOUNTS = ['addressConcurrent', 'concurrent', 'dayBudget', 'monthBudget', 'maxSeconds'] as const

/** The settings of browser calls that stand above the defaults, each as `web.` and its name; none where the calls are simulated. */
export function raisedWebLimits(
  settings: WebGateSettings,
  normal: WebGateSettings = DEFAULT_WEB_GATE,
): RaisedLimit[] {
  if (settings.mode === 'simulated') return []
  const raised: RaisedLimit[] = []
  for (const name of LISTS) {
    const looser = normal[name].some((usual) => !settings[name].some((limit) => isWithin(limit, usual)))
    if (looser)
      raised.push({
        setting: `web.${name}`,
        value: settings[name].map(readable),
        normal: normal[name].map(readable),
      })
  }
  for (const name of AMOUNTS)
    if ((settings[name] ?? Number.POSITIVE_INFINITY) > (normal[name] ?? Number.POSITIVE_INFINITY))
      raised.push({ setting: `web.${name}`, value: settings[name] ?? 'none', normal: normal[name] })
  return raised
}
