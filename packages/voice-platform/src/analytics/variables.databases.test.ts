import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storePastCalls } from '../testing/past-calls.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { askAnalytics } from './analytics.js'
import { queryAnalytics } from './analytics-query.js'

let db: Db
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())

const at = '2024-05-01T10:00:00.000Z'
const number = '+12025550101'
const base = { variableValues: { plan: 'base' } }
const gold = { number, assistantOverrides: { variableValues: { plan: 'gold' } } }
const none = { number, assistantOverrides: { variableValues: { plan: null } } }
const team = { squad: { members: [], membersOverrides: { variableValues: { plan: 'team' } } } }

it.each([
  ['read', 'was read in it', { overrides: base, customer: gold, script: team, variables: { plan: 'read' } }],
  ['gold', 'its customer has', { overrides: base, customer: gold, script: team }],
  ['gold', 'its customer alone has', { customer: gold }],
  ['base', 'was given with it', { overrides: base, customer: { number }, script: team }],
  ['team', 'its squad has', { script: team }],
  [null, 'its customer is without', { overrides: base, customer: none }],
  [null, 'nobody gave', { variables: { other: 'read' } }],
])('a call is counted under %s, which %s', async (plan, _, call) => {
  const [id] = await storePastCalls(db, [{ at, ...call }])
  const { queries } = queryAnalytics.parse({
    queries: [
      {
        ...{ table: 'call', name: 'plans', groupByVariableValue: [{ key: 'plan' }] },
        operations: [{ operation: 'count', column: 'id', alias: 'n' }],
        timeRange: { start: '2024-05-01T00:00:00.000Z', end: '2024-05-02T00:00:00.000Z' },
      },
    ],
  })
  const [answer] = await askAnalytics(db, queries, systemClock)
  expect(answer?.result).toEqual([{ plan, n: 1 }])
  await db.query('delete from voice_platform.calls where id = $1', [id])
})
