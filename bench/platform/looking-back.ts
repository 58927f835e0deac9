import { type Database, FilledHeyline, PRIVATE_KEY } from '../backend/filled-heyline.js'
import { megabytes, residentBytes } from '../backend/memory.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'
import { lists } from './lists.js'
import { CALLS, fillWithCalls } from './past-calls.js'

const ANALYTICS_LIMIT_MS = 500
const ANALYTICS_ROUNDS = 5
/** Most that the server's process may grow by while it exports. */
const GROWTH_LIMIT = 60_000_000

const headers = { authorization: `Bearer ${PRIVATE_KEY}`, 'content-type': 'application/json' }

const count = { operation: 'count', column: 'id' }
const YEAR_MS = 365 * 24 * 3_600_000
interface Asked {
  operations: readonly object[]
  groupBy?: readonly string[]
  step?: string
  timezone?: string
}

const ASKED: Readonly<Record<string, Asked>> = {
  'sums by assistant': {
    groupBy: ['assistantId'],
    operations: [count, { operation: 'sum', column: 'cost' }, { operation: 'avg', column: 'duration' }],
  },
  'each hour in Berlin, by reason': {
    groupBy: ['endedReason'],
    operations: [count, { operation: 'max', column: 'cost' }],
    step: 'hour',
    timezone: 'Europe/Berlin',
  },
  'calls at once, by day': { operations: [{ operation: 'max', column: 'concurrency' }], step: 'day' },
  'a history of costs': { operations: [{ operation: 'history', column: 'cost' }] },
}

/** Lists, figures and a file of 100,000 calls. */
export async function measureLookingBack(database: Database): Promise<Figure[]> {
  const server = await FilledHeyline.start(database, 1, fillWithCalls)
  try {
    return [...(await lists(server)), ...(await analytics(server)), ...(await exported(server))]
  } finally {
    await server.stop()
  }
}

async function answered(server: FilledHeyline, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`${server.url}/-/platform${path}`, { headers, ...init })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response
}

async function analytics(server: FilledHeyline): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [what, { step, timezone, ...query }] of Object.entries(ASKED)) {
    const timeRange = {
      start: new Date(Date.now() - YEAR_MS).toISOString(),
      ...(step ? { step, timezone } : {}),
    }
    const body = JSON.stringify({ queries: [{ table: 'call', name: 'bench', ...query, timeRange }] })
    const taken: number[] = []
    for (let round = 0; round < ANALYTICS_ROUNDS; round += 1) {
      const began = performance.now()
      await (await answered(server, '/analytics', { method: 'POST', body })).arrayBuffer()
      taken.push(performance.now() - began)
    }
    figures.push(
      limited({
        what: `analytics: ${what}`,
        value: median(taken),
        limit: ANALYTICS_LIMIT_MS,
        show: ms,
        beside: `worst ${ms(Math.max(...taken))}`,
      }),
    )
  }
  return figures
}

async function exported(server: FilledHeyline): Promise<Figure[]> {
  const before = residentBytes(server)
  const began = performance.now()
  let most = before
  let bytes = 0
  let rows = -1
  const { body } = await answered(
    server,
    '/v2/call/export?columns=id,customerNumber,duration,cost,transcript',
  )
  let parts = 0
  for await (const part of body ?? []) {
    bytes += part.length
    // Each call begins with its id behind the end of a row; words have line breaks of their own, and no carriage return.
    for (const byte of part) if (byte === 13) rows += 1
    parts += 1
    if (parts % 50 === 0) most = Math.max(most, residentBytes(server))
  }
  if (rows !== CALLS) throw new Error(`The export has ${rows} calls, and not ${CALLS}.`)
  return [
    limited({
      what: 'export: what the server grows by',
      value: Math.max(0, most - before),
      limit: GROWTH_LIMIT,
      show: megabytes,
      beside: `${megabytes(bytes)} in ${((performance.now() - began) / 1000).toFixed(1)} s`,
    }),
  ]
}
