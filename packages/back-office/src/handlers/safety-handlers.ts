import type { GateSettings, OperatorDesk, WebGateSettings } from '@heyline/call-desk'
import type { Clock } from '@heyline/kit/clock'
import { KeptAnswer } from '@heyline/kit/kept-answer'
import type { HandlersOf } from './handlers.js'

/** A limit as the environment has it. */
export interface LimitRow {
  /** As `OperatorDesk.limitUse` names it. */
  name: string
  setting: string
  kind: 'phone' | 'web'
  meaning: string
  value: string
  default: string
  raised: boolean
  unit: 'calls' | 'microusd'
  windows: readonly { span: string | null; most: number }[]
}

export interface SafetyParts {
  desk: Pick<OperatorDesk, 'limitUse' | 'spend' | 'refusals'>
  gate: GateSettings
  webGate: WebGateSettings
  limits: readonly LimitRow[]
  clock?: Pick<Clock, 'monotonic'>
}

const WHERE =
  'Limits are settings in the environment of the server: change them there (docs/settings.md), and start the server again.'

/** So old the use of the limits may be that is shown, in ms: to count it takes the database a while. */
const KEPT_MS = 1_000

export function safetyHandlers({ desk, gate, webGate, limits, clock }: SafetyParts) {
  const used = new KeptAnswer({
    ask: () => desk.limitUse(gate, webGate),
    keptMs: KEPT_MS,
    ...(clock && { clock }),
  })
  return {
    limits: async () => {
      const use = await used.get()
      return {
        mode: { phone: gate.mode, web: webGate.mode },
        where: WHERE,
        limits: limits.map(({ name, windows, ...limit }) => ({
          ...limit,
          use: windows.map((window, place) => ({ ...window, used: use[name]?.[place] ?? null })),
        })),
      }
    },
    spend: async ({ days }) => ({
      days: await desk.spend(days),
      budgets: { phone: budgetsOf(gate), web: budgetsOf(webGate) },
    }),
    refusals: () => desk.refusals(),
  } satisfies HandlersOf<'safety'>
}

const budgetsOf = ({ dayBudget, monthBudget }: Pick<GateSettings, 'dayBudget' | 'monthBudget'>) => ({
  day: dayBudget ?? null,
  month: monthBudget ?? null,
})
