import { expect, it } from 'vitest'
import { ok } from '../doctor/finding.js'
import { HealthRuns } from './health-runs.js'

it('runs the doctor once for all who ask at a time, and once in ten seconds', async () => {
  let now = 0
  let runs = 0
  const health = new HealthRuns(async () => [ok('runs', String(++runs))], { monotonic: () => now })
  const said = async () => (await health.findings())[0]?.message
  expect(await Promise.all([said(), said(), said()])).toEqual(['1', '1', '1'])
  now = 9_999
  expect(await said()).toBe('1')
  now = 10_000
  expect(await said()).toBe('2')
})

it('shares a run that takes longer, and tries again after one that failed', async () => {
  let now = 0
  const fails: ((reason: Error) => void)[] = []
  const health = new HealthRuns(() => new Promise((_, reject) => fails.push(reject)), {
    monotonic: () => now,
  })
  const first = health.findings()
  now = 60_000
  const second = health.findings()
  fails[0]?.(new Error('no'))
  await expect(first).rejects.toThrow('no')
  await expect(second).rejects.toThrow('no')
  void health.findings()
  expect(fails).toHaveLength(2)
})
