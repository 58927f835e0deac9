import type { Leave } from '@heyline/kit/waiting-line'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Operator } from '../access/operator-access.js'
import { OfficeTurns } from './office-turns.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const by = (userId: string): { operator: Operator } => ({
  operator: { userId, email: `${userId}@example.com`, role: 'viewer', aal: 'aal2', enteredAt: 0 },
})
const settled = () => vi.advanceTimersByTimeAsync(0)

it('lets two exports of an operator run and two wait, and begins those in their order', async () => {
  const turns = new OfficeTurns()
  const begun: string[] = []
  const leaves: Leave[] = []
  const take = (name: string) =>
    turns.export(by('ann')).then((leave) => {
      begun.push(name)
      leaves.push(leave)
    })
  for (const name of ['a', 'b', 'c', 'd']) void take(name)
  await expect(take('e')).rejects.toMatchObject({ code: 'too_many_exports', waitSeconds: 10 })
  expect(begun).toEqual(['a', 'b'])
  leaves[1]?.()
  leaves[1]?.()
  await settled()
  expect(begun).toEqual(['a', 'b', 'c'])
  leaves[0]?.()
  await settled()
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
})

it('lets four exports of all run, and gives up who waited for ten seconds', async () => {
  const turns = new OfficeTurns()
  const leaves = await Promise.all(['ann', 'ann', 'ben', 'ben'].map((name) => turns.export(by(name))))
  const late = expect(turns.export({ operator: undefined })).rejects.toMatchObject({
    code: 'too_many_exports',
  })
  await vi.advanceTimersByTimeAsync(10_000)
  await late
  const next = turns.export(by('cid'))
  leaves[3]?.()
  await expect(next).resolves.toBeTypeOf('function')
})

it('makes two large pages of an operator at once, has ten wait, and no short one', async () => {
  const turns = new OfficeTurns()
  let begun = 0
  const ends: (() => void)[] = []
  const make = () => {
    begun += 1
    return new Promise<string>((resolve) => ends.push(() => resolve('page')))
  }
  const pages = Array.from({ length: 12 }, () => turns.page(by('ann'), 500, make))
  await expect(turns.page(by('ann'), 1_000, make)).rejects.toMatchObject({
    code: 'too_many_pages',
    waitSeconds: 2,
  })
  expect(begun).toBe(2)
  const others = [
    turns.page(by('ann'), 499, make),
    turns.page(by('ann'), undefined, make),
    turns.page(by('ben'), 1_000, make),
  ]
  await settled()
  expect(begun).toBe(5)
  while (ends.length > 0) {
    ends.shift()?.()
    await settled()
  }
  expect(await Promise.all([...pages, ...others])).toEqual(Array(15).fill('page'))
})

it('tells what went wrong with a page as it is', async () => {
  const broken = new Error('broken')
  await expect(new OfficeTurns().page(by('ann'), 1_000, () => Promise.reject(broken))).rejects.toBe(broken)
})
