import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '@heyline/database/testing'
import { RunningHeyline } from '../../e2e/running-heyline.js'
import { PRIVATE_KEY, SECRET } from '../backend/filled-heyline.js'
import { limited } from '../report/limit.js'
import { type Figure, ms } from '../report/table.js'
import { Crowd } from './crowd.js'
import { assistantOf, TEXTS, type Texts } from './texts.js'

const PROCESSES = 3
/** People who talk at once. */
const STEPS = [10, 20, 30, 50, 75, 100, 150, 200]
/** Each newcomer after the one before. */
const APART_MS = 150
/** Counted, after the newcomers of a step have come. */
const WATCHED_MS = 4_000
/** All six cases together; each has its share of it, and what the ones before it left. */
const TIME_MS = 330_000
const GAP_LIMIT_MS = 60
/** What one process must hold. */
const LEAST = 50

interface Step {
  people: number
  gapMs: number
  cut: number
  /** Processor time of all servers for a second of one conversation, in milliseconds. */
  cpuMs: number
  /** How late the callers' own process is, at most for 99 of 100 times, in milliseconds. */
  lateMs: number
}

interface Case {
  processes: number
  texts: Texts
  held?: Step
  /** The step that was not held; undefined where all were, or the time was over. */
  missed?: Step
}

/** How many conversations one, two and three servers on one Postgres hold, with the same words and with words of their own. */
export async function measureProcesses(): Promise<Figure[]> {
  const began = performance.now()
  const postgres = await startPostgres()
  const servers: RunningHeyline[] = []
  const cases: Case[] = []
  try {
    for (let processes = 1; processes <= PROCESSES; processes += 1) {
      servers.push(await startOn(postgres.url))
      for (const texts of TEXTS) {
        const share = (cases.length + 1) / (PROCESSES * TEXTS.length)
        cases.push(await caseOf(servers, texts, began + share * TIME_MS))
      }
    }
    return cases.map((one) => figureOf(one, cases))
  } finally {
    for (const server of servers) await server.stop()
    await postgres.stop()
  }
}

const startOn = (databaseUrl: string) =>
  RunningHeyline.start({
    DATABASE_URL: databaseUrl,
    HEYLINE_SECRET: SECRET,
    PLATFORM_PRIVATE_KEY: PRIVATE_KEY,
    CONVERSATIONS_MOST: '1000',
  })

/** Lets more and more people talk, until a step is not held twice, or the time is over. */
async function caseOf(servers: readonly RunningHeyline[], texts: Texts, until: number): Promise<Case> {
  const urls = servers.map(({ url }) => url)
  const crowd = new Crowd({ urls, key: PRIVATE_KEY, assistantOf: (n) => assistantOf(texts, n), questions: 1 })
  const found: Case = { processes: servers.length, texts }
  try {
    for (const people of STEPS) {
      const growMs = APART_MS * (people - (found.held?.people ?? 0))
      if (performance.now() + growMs + 2 * WATCHED_MS > until) break
      await crowd.growTo(people, growMs)
      let step = await watch(crowd, people, servers)
      // What else runs on the machine may be the reason, for once.
      if (!isHeld(step)) step = await watch(crowd, people, servers)
      if (!isHeld(step)) return { ...found, missed: step }
      found.held = step
    }
    return found
  } finally {
    await crowd.leave()
  }
}

async function watch(crowd: Crowd, people: number, servers: readonly RunningHeyline[]): Promise<Step> {
  const late = monitorEventLoopDelay({ resolution: 5 })
  late.enable()
  crowd.gaps.clear()
  const [cut, ticks, began] = [crowd.cut.length, ticksOf(servers), performance.now()]
  await delay(WATCHED_MS)
  late.disable()
  const seconds = (performance.now() - began) / 1000
  return {
    people,
    gapMs: crowd.gaps.quantile(0.99),
    cut: crowd.cut.length - cut,
    // A tick is a hundredth of a second.
    cpuMs: (10 * (ticksOf(servers) - ticks)) / people / seconds,
    lateMs: late.percentile(99) / 1e6,
  }
}

const ticksOf = (servers: readonly RunningHeyline[]) =>
  servers.reduce((sum, { processorTicks }) => sum + (processorTicks ?? Number.NaN), 0)

const isHeld = ({ gapMs, cut }: Step) => gapMs <= GAP_LIMIT_MS && cut === 0

function figureOf({ processes, texts, held, missed }: Case, cases: readonly Case[]): Figure {
  const alone = cases.find((one) => one.processes === 1 && one.texts === texts)?.held?.people ?? 0
  const people = held?.people ?? 0
  const what = `${processes} ${processes === 1 ? 'process' : 'processes'}, ${texts} texts: conversations with gaps of ≤ ${ms(GAP_LIMIT_MS)}`
  const beside = [
    alone > 0 ? `${(people / alone).toFixed(2)} × one process` : 'one process held none',
    ...(held ? [`p99 ${ms(held.gapMs)}, ${ms(held.cpuMs)} of processor for a second of each`] : []),
    missed
      ? `${missed.people}: p99 ${ms(missed.gapMs)}, ${missed.cut} cut, ${ms(missed.cpuMs)} of processor; callers' process late by ${ms(missed.lateMs)}`
      : 'no step was missed in time',
  ].join('; ')
  const show = (count: number) => `${missed ? '' : '≥ '}${count}`
  if (processes > 1) return { what, value: show(people), beside }
  return limited({ what, value: people, limit: LEAST, atLeast: true, show: String, beside })
}
