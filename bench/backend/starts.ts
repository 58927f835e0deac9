import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'
import { type Database, FilledHeyline } from './filled-heyline.js'
import { MEMORY_LIMIT, megabytes, residentBytes } from './memory.js'

const COLD_ROUNDS = 3
const WARM_ROUNDS = 5
/** When the memory is read, after 'Heyline is ready': what the start leaves behind has been collected or not by then. */
const SETTLE_MS = 1_000

interface Started {
  ms: number
  bytes: number
}

/** From the spawn to 'Heyline is ready': on a new data directory and database, and then again on what that left. */
export async function measureStarts(database: Database): Promise<Figure[]> {
  const cold: Started[] = []
  const warm: Started[] = []
  for (let round = 0; round < COLD_ROUNDS; round += 1) {
    const server = await FilledHeyline.start(database)
    try {
      cold.push(await started(server))
      if (round > 0) continue
      for (let again = 0; again < WARM_ROUNDS; again += 1) {
        await server.restart()
        warm.push(await started(server))
      }
    } finally {
      await server.stop()
    }
  }
  return [
    ...figures(`cold start (median of ${COLD_ROUNDS})`, cold, 4_000),
    ...figures(`warm start (median of ${WARM_ROUNDS})`, warm, 1_500),
  ]
}

async function started(server: FilledHeyline): Promise<Started> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  return { ms: server.startMs, bytes: residentBytes(server) }
}

function figures(what: string, starts: readonly Started[], limit: number): Figure[] {
  const times = starts.map((start) => start.ms)
  return [
    limited({
      what,
      value: median(times),
      limit,
      show: ms,
      beside: `slowest ${ms(Math.max(...times))}`,
    }),
    limited({
      what: 'memory after it',
      value: median(starts.map(({ bytes }) => bytes)),
      limit: MEMORY_LIMIT,
      show: megabytes,
    }),
  ]
}
