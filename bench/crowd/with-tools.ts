import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { InspectedHeyline } from '../conversation/inspected-heyline.js'
import { limited } from '../report/limit.js'
import { type Figure, ms } from '../report/table.js'
import { ActingModel } from './acting-model.js'
import { Crowd } from './crowd.js'
import { assistantOf } from './texts.js'

const PEOPLE = 200
const GROW_MS = 30_000
const WATCHED_MS = 15_000
const GAP_LIMIT_MS = 60
/** As long as this platform lets a call be. */
const LONGEST_SECONDS = 43_200

/** Two hundred people talk at once: with an assistant that answers by itself, and with one that uses two tools for each answer. */
export async function measureTools(): Promise<Figure[]> {
  const plain = await watch({}, (n) => assistantOf('repeated', n))
  const model = await ActingModel.start()
  try {
    const acting = await watch({ MODEL_URL: model.url, TOOLS_ALLOW_PRIVATE: 'on' }, () => ({
      firstMessage: 'Hello, this is the harbour bakery. How may I help you?',
      model: { provider: 'openai', model: 'acting', messages: [], tools: model.tools },
      maxDurationSeconds: LONGEST_SECONDS,
    }))
    const what = `${PEOPLE} conversations with two tools an answer`
    return [
      limited({
        what: `${what}: frame gap, p99`,
        value: acting.gapMs,
        limit: GAP_LIMIT_MS,
        show: ms,
        beside: `median ${ms(acting.medianMs)}, longest ${ms(acting.longestMs)}, of ${acting.frames} frames; without tools p99 ${ms(plain.gapMs)}; callers’ process late by ${ms(acting.lateMs)}, without tools ${ms(plain.lateMs)}`,
      }),
      limited({
        what: `${what}: calls cut`,
        value: acting.cut.length,
        limit: 0,
        show: String,
        beside: [`tools asked ${await model.used()} times`, ...new Set(acting.cut.slice(0, 3))].join('; '),
      }),
    ]
  } finally {
    await model.close()
  }
}

async function watch(environment: Record<string, string>, assistant: (n: number) => object) {
  const heyline = await InspectedHeyline.start(environment)
  try {
    const crowd = new Crowd({ urls: [heyline.url], key: heyline.key, assistantOf: assistant, questions: 3 })
    await crowd.growTo(PEOPLE, GROW_MS)
    crowd.gaps.clear()
    const late = monitorEventLoopDelay({ resolution: 5 })
    late.enable()
    await delay(WATCHED_MS)
    late.disable()
    const { gaps } = crowd
    const seen = { gapMs: gaps.quantile(0.99), medianMs: gaps.quantile(0.5), longestMs: gaps.longest }
    const found = { ...seen, frames: gaps.count, lateMs: late.percentile(99) / 1e6, cut: [...crowd.cut] }
    await crowd.leave()
    return found
  } finally {
    await heyline.stop()
  }
}
