import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { KeptAnswer } from '@heyline/kit/kept-answer'
import type { HouseFigures } from '@heyline/voice-platform'
import { Registry } from 'prom-client'
import type { CallSettings } from '../settings/call-settings.js'
import { VERSION } from '../version.js'
import { DatabaseFigures, readFigures } from './database-figures.js'
import type { Metrics } from './metrics.js'
import { processMetrics } from './process-metrics.js'

/** How long a whole answer holds, in ms: the port of its own has no key. */
const HOLDS_MS = 1_000
const MILLIONTHS = 1_000_000

export interface MetricsEndOptions {
  metrics: Metrics
  db: Db
  /** The calls of this process; undefined where the platform is elsewhere. */
  house: (() => HouseFigures) | undefined
  budgets: Pick<CallSettings, 'gate' | 'webGate'>
  /** This process makes scheduled backups. */
  makesBackups?: boolean
  clock?: Clock
}

/** What is asked for at `/-/metrics`. */
export interface MetricsEnd {
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>
  contentType: string
}

export function openMetrics({
  metrics,
  db,
  house,
  budgets,
  makesBackups = false,
  clock = systemClock,
}: MetricsEndOptions): MetricsEnd {
  const figures = new DatabaseFigures(() => readFigures(db, makesBackups), metrics, clock)
  const all = Registry.merge([metrics.registry, processMetrics()])
  metrics.info.set({ version: VERSION, database: db.kind }, 1)
  for (const [kind, { dayBudget, monthBudget }] of [
    ['phone', budgets.gate],
    ['web', budgets.webGate],
  ] as const)
    for (const [window, budget] of [
      ['day', dayBudget],
      ['month', monthBudget],
    ] as const)
      if (budget !== undefined) metrics.budget.set({ kind, window }, budget / MILLIONTHS)

  const text = async () => {
    await figures.refresh()
    const calls = house?.()
    if (calls) {
      metrics.conversations.set(calls.held)
      // What has no limit has no figure.
      if (Number.isFinite(calls.room)) metrics.room.set(calls.room)
    }
    const pool = db.pool?.()
    if (!pool) metrics.poolWaiting.remove()
    if (pool) {
      for (const state of ['most', 'open', 'idle'] as const) metrics.pool.set({ state }, pool[state])
      metrics.poolWaiting.set(pool.waiting)
    }
    return await all.metrics()
  }
  const kept = new KeptAnswer({ ask: text, keptMs: HOLDS_MS, clock })
  return { text: () => kept.get(), contentType: all.contentType }
}
