import type { Db } from '@heyline/database'
import type { Call, PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { findCalls } from './find-calls.js'
import { UnaskedCalls } from './unasked-calls.js'

const MANY = 5_000

/** A platform whose lists are longer than was asked for. */
function platformThatSendsMany() {
  const asked: (number | undefined)[] = []
  const calls = Array.from({ length: MANY }, (_, n) => {
    const at = new Date(Date.UTC(2026, 0, 2) - n * 1000).toISOString()
    return {
      id: `call-${n}`,
      name: `name-${n}`,
      type: 'webCall',
      assistantId: 'a',
      createdAt: at,
      startedAt: at,
    } as Call
  })
  const list = async ({ limit, createdAtLe }: { limit?: number; createdAtLe?: Date } = {}) => {
    asked.push(limit)
    return calls.filter(({ createdAt }) => !createdAtLe || Date.parse(createdAt) <= createdAtLe.getTime())
  }
  return { platform: { calls: { list } } as unknown as PlatformClient, asked }
}

it('finds calls on the pages that were asked for, and walks on', async () => {
  const { platform, asked } = platformThatSendsMany()
  const { signal } = new AbortController()
  const span = { from: new Date(0), to: new Date(Date.UTC(2026, 0, 3)) }
  const { found, isComplete } = await findCalls(platform, { names: new Set(['name-60']), ...span, signal })
  expect([...found.values()].map(({ id }) => id)).toEqual(['call-60'])
  expect(isComplete).toBe(true)
  expect(asked).toEqual([25, 25, 25])
})

it('stores no more of a list at once than was asked for', async () => {
  const { platform } = platformThatSendsMany()
  const stored: number[] = []
  const db = {
    query: async (_sql: string, parameters: readonly unknown[] = []) => {
      const rows = parameters.find((one) => Array.isArray(one))
      stored.push(Array.isArray(rows) ? rows.length : 0)
      return { rows: [], rowCount: 0 }
    },
  } as unknown as Db
  const unasked = { assistantId: 'a', maxSeconds: 600 } as ConstructorParameters<
    typeof UnaskedCalls
  >[0]['unasked']
  const looks = new UnaskedCalls({
    ...{ db, platform, unasked, timings: { newsMs: 1000 }, logger: pino({ level: 'silent' }) },
  })
  await looks.look()
  expect(Math.max(...stored)).toBe(25)
  expect(stored.length).toBeLessThanOrEqual(80)
})
