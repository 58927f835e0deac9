import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { DatabaseFigures } from './database-figures.js'
import { Metrics } from './metrics.js'

it('asks the database at most once in five seconds, and gives no values while it is away', async () => {
  const clock = new ManualClock(0)
  const metrics = new Metrics()
  let asked = 0
  let isAway = false
  const query = async (sql: string) => {
    asked += 1
    if (isAway) throw new Error('away')
    const isOfSwitches = sql.includes('call_desk.switches')
    return {
      rows: isOfSwitches ? [{ pausedAt: null, breakerAt: null, breakerReason: null }] : [],
      rowCount: 0,
    }
  }
  const figures = new DatabaseFigures({ query } as unknown as Db, metrics, clock)
  await figures.refresh()
  const first = asked
  expect(await metrics.registry.metrics()).toContain('\nheyline_database_up 1\n')
  expect(await metrics.registry.metrics()).toContain('\nheyline_call_queue_length 0\n')
  for (let index = 0; index < 100; index++) await figures.refresh()
  clock.advance(4_999)
  await figures.refresh()
  expect(asked).toBe(first)
  isAway = true
  clock.advance(1)
  await figures.refresh()
  expect(asked).toBeGreaterThan(first)
  expect(await metrics.registry.metrics()).toContain('\nheyline_database_up 0\n')
  expect(await metrics.registry.metrics()).not.toMatch(/^heyline_call_queue_length /m)
})

it('does not wait for a database that says nothing', async () => {
  const clock = new ManualClock(0)
  const metrics = new Metrics()
  const figures = new DatabaseFigures({ query: () => new Promise(() => {}) } as unknown as Db, metrics, clock)
  const refreshed = figures.refresh()
  clock.advance(2_000)
  await refreshed
  expect(await metrics.registry.metrics()).toContain('\nheyline_database_up 0\n')
})
