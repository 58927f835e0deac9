import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'
import { type Database, FilledHeyline } from './filled-heyline.js'
import { type Load, type Question, run } from './load.js'
import { MEMORY_LIMIT, megabytes, residentBytes } from './memory.js'
import { caselessRead, exactRead } from './questions.js'

const FEW = 1_000
const MANY = 1_000_000
const RATIO_LIMIT = 1.5
const ROUND_MS = 4_000
const ROUNDS = 5

/** Both far below what the server can do: at its limit the wait in line would hide what a read takes. */
const LOADS: readonly { what: string; load: Pick<Load, 'connections' | 'perSecond'> }[] = [
  { what: '1 connection, 100/s', load: { connections: 1, perSecond: 100 } },
  { what: '20 connections, 300/s', load: { connections: 20, perSecond: 300 } },
]

const READS = [
  { what: 'exact', ask: exactRead },
  { what: 'case-insensitive', ask: caselessRead },
]

/** Reads among a million visitors beside reads among a thousand, by turns on two servers. */
export async function measureMillion(database: Database): Promise<Figure[]> {
  const few = await FilledHeyline.start(database, FEW)
  try {
    const began = performance.now()
    const many = await FilledHeyline.start(database, MANY)
    try {
      const filled = `filled in ${((performance.now() - began) / 1000).toFixed(0)} s`
      const figures: Figure[] = []
      for (const read of READS) figures.push(...(await compared(few, many, read)))
      figures.push(
        limited({
          what: 'memory among a million',
          value: residentBytes(many),
          limit: MEMORY_LIMIT,
          show: megabytes,
          beside: filled,
        }),
      )
      return figures
    } finally {
      await many.stop()
    }
  } finally {
    await few.stop()
  }
}

async function compared(
  few: FilledHeyline,
  many: FilledHeyline,
  { what, ask }: (typeof READS)[number],
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { what: under, load } of LOADS) {
    const p99 = { few: [] as number[], many: [] as number[] }
    for (let round = -1; round < ROUNDS; round += 1) {
      const [ofFew, ofMany] = [await p99Of(few, ask, load), await p99Of(many, ask, load)]
      if (round < 0) continue // both have to warm up
      p99.few.push(ofFew)
      p99.many.push(ofMany)
    }
    const [little, much] = [median(p99.few), median(p99.many)]
    figures.push(
      limited({
        what: `${what} reads, ${under}`,
        value: much / little,
        limit: RATIO_LIMIT,
        show: (ratio) => `${ratio.toFixed(2)}×`,
        beside: `${ms(much)} among a million, ${ms(little)} among a thousand`,
      }),
    )
  }
  return figures
}

async function p99Of(
  server: FilledHeyline,
  ask: (server: FilledHeyline) => Question,
  load: Pick<Load, 'connections' | 'perSecond'>,
): Promise<number> {
  return (await run(server.url, { ...load, ms: ROUND_MS, question: () => ask(server) })).p99
}
