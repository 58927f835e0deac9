import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { DatabaseFigures, type Figures } from './database-figures.js'
import { Metrics } from './metrics.js'

const FIGURES: Figures = {
  desk: {
    ...{ calls: [], spend: [], paused: false, breakerOpen: false },
    ...{ queue: { length: 0, ageSeconds: 0 }, inbox: { length: 0, ageSeconds: 0 } },
  },
  deliveries: { due: 0, ageSeconds: 0, dead: 0 },
  backup: { ageSeconds: 90, bytes: 5_000, hasFailed: false },
}

it('asks the database at most once in five seconds, and gives no values while it is away', async () => {
  const clock = new ManualClock(0)
  const metrics = new Metrics()
  let asked = 0
  let isAway = false
  const read = async () => {
    asked += 1
    if (isAway) throw new Error('away')
    return FIGURES
  }
  const figures = new DatabaseFigures(read, metrics, clock)
  await figures.refresh()
  expect(asked).toBe(1)
  expect(await metrics.registry.metrics()).toContain('\nheyline_database_up 1\n')
  expect(await metrics.registry.metrics()).toContain('\nheyline_call_queue_length 0\n')
  expect(await metrics.registry.metrics()).toContain('\nheyline_backup_age_seconds 90\n')
  expect(await metrics.registry.metrics()).toContain('\nheyline_backup_failed 0\n')
  for (let index = 0; index < 100; index++) await figures.refresh()
  clock.advance(4_999)
  await figures.refresh()
  expect(asked).toBe(1)
  isAway = true
  clock.advance(1)
  await figures.refresh()
  expect(asked).toBe(2)
  expect(await metrics.registry.metrics()).toContain('\nheyline_database_up 0\n')
  expect(await metrics.registry.metrics()).not.toMatch(/^heyline_(call_queue_length|backup_age_seconds) /m)
})

it('does not wait for a database that says nothing', async () => {
  const clock = new ManualClock(0)
  const metrics = new Metrics()
  const figures = new DatabaseFigures(() => new Promise(() => {}), metrics, clock)
  const refreshed = figures.refresh()
  clock.advance(2_000)
  await refreshed
  expect(await metrics.registry.metrics()).toContain('\nheyline_database_up 0\n')
})
