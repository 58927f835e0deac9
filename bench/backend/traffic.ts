import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'
import { type Database, FilledHeyline } from './filled-heyline.js'
import { type Question, type Run, run } from './load.js'
import { MEMORY_LIMIT, megabytes, residentBytes } from './memory.js'
import { caselessRead, exactRead, page } from './questions.js'

export const CONNECTIONS = 20
export const VISITORS = 1_000
const WARM_UP_MS = 4_000
const ROUND_MS = 5_000
const ROUNDS = 3

/** The least that is read a second: PGlite is one session in one thread. */
const READS: Record<Database, number> = { PGlite: 800, Postgres: 2_000 }
const PAGES = 600

/** Reads and pages a second with 20 connections that never rest, and the memory that the server has then. */
export async function measureTraffic(database: Database): Promise<Figure[]> {
  const server = await FilledHeyline.start(database, VISITORS)
  try {
    const exact = await rounds(server, exactRead)
    const caseless = await rounds(server, caselessRead)
    const pages = await rounds(server, page)
    return [
      limited({ what: 'exact reads', ...rate(exact), limit: READS[database] }),
      { what: 'case-insensitive reads', value: perSecond(caseless.perSecond), beside: latency(caseless) },
      limited({ what: 'pages', ...rate(pages), limit: PAGES }),
      limited({
        what: 'memory after that',
        value: residentBytes(server),
        limit: MEMORY_LIMIT,
        show: megabytes,
      }),
    ]
  } finally {
    await server.stop()
  }
}

async function rounds(server: FilledHeyline, ask: (server: FilledHeyline) => Question): Promise<Run> {
  const load = (forMs: number) =>
    run(server.url, { connections: CONNECTIONS, ms: forMs, question: () => ask(server) })
  await load(WARM_UP_MS)
  const runs: Run[] = []
  for (let round = 0; round < ROUNDS; round += 1) runs.push(await load(ROUND_MS))
  return {
    perSecond: median(runs.map((one) => one.perSecond)),
    p50: median(runs.map(({ p50 }) => p50)),
    p99: median(runs.map(({ p99 }) => p99)),
    late: runs.reduce((sum, { late }) => sum + late, 0),
  }
}

const perSecond = (value: number) => `${value.toFixed(0)}/s`
const latency = ({ p50, p99, late }: Run) =>
  `p50 ${ms(p50)}, p99 ${ms(p99)}${late > 0 ? `; ${late} without their visitor` : ''}`
const rate = (measured: Run) => ({
  value: measured.perSecond,
  atLeast: true,
  show: perSecond,
  beside: latency(measured),
})
