import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { Retries } from './retries.js'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Work that fails so often, and what is known of it. */
function setUp(failures: number) {
  const clock = new ManualClock()
  const retries = new Retries(clock)
  const told: unknown[] = []
  const tries: number[] = []
  const work = async () => {
    tries.push(clock.now())
    if (tries.length <= failures) throw new Error(`failure ${tries.length}`)
    return 'stored'
  }
  return { clock, retries, tries, told, done: retries.run(work, (error) => told.push(error)) }
}

describe('Retries', () => {
  it('does work that succeeds once', async () => {
    const { clock, done, tries, told } = setUp(0)
    expect(await done).toBe('stored')
    expect(tries).toHaveLength(1)
    expect(told).toEqual([])
    expect(clock.pending).toBe(0)
  })

  it('tries again with growing pauses, of ten seconds at most, and tells of the first failure', async () => {
    const { clock, done, tries, told } = setUp(9)
    while (tries.length < 10) {
      await turn()
      clock.advance(100)
    }
    expect(await done).toBe('stored')
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0))
    expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000])
    expect(told).toEqual([new Error('failure 1')])
  })

  it('tries what waits once more when closed, and gives it up', async () => {
    const { clock, retries, done, tries } = setUp(99)
    const failed = expect(done).rejects.toThrow('failure 2')
    await turn()
    await retries.close()
    await failed
    expect(tries).toHaveLength(2)
    expect(clock.pending).toBe(0)
    await expect(
      retries.run(
        () => Promise.reject(new Error('late')),
        () => undefined,
      ),
    ).rejects.toThrow('late')
  })

  it('stores what it can when closed', async () => {
    const { retries, done } = setUp(1)
    await turn()
    await retries.close()
    expect(await done).toBe('stored')
  })
})
