import type { Leave } from '@heyline/kit/waiting-line'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Operator } from '../access/operator-access.js'
import type { Role } from '../operators/role.js'
import { OfficeTurns } from './office-turns.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const by = (userId: string, left = new AbortController().signal, role: Role = 'viewer') => ({
  operator: {
    userId,
    email: `${userId}@example.com`,
    role,
    aal: 'aal2',
    enteredAt: 0,
  } satisfies Operator,
  actor: { name: userId, address: '192.0.2.1' },
  left,
})
const settled = () => vi.advanceTimersByTimeAsync(0)

it('lets two exports of an operator run and two wait, and begins those in their order', async () => {
  const turns = new OfficeTurns('postgres')
  const begun: string[] = []
  const leaves: Leave[] = []
  const take = (name: string) =>
    turns.export(by('ann')).then(({ leave }) => {
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
  const turns = new OfficeTurns('postgres')
  const leaves = await Promise.all(['ann', 'ann', 'ben', 'ben'].map((name) => turns.export(by(name))))
  expect(leaves.map(({ isWanted }) => isWanted())).toEqual([false, false, false, false])
  const late = expect(turns.export(by('cid'))).rejects.toMatchObject({ code: 'too_many_exports' })
  await settled()
  expect(leaves.map(({ isWanted }) => isWanted())).toEqual([true, true, true, true])
  await vi.advanceTimersByTimeAsync(10_000)
  await late
  const next = turns.export(by('cid'))
  leaves[3]?.leave()
  await expect(next).resolves.toMatchObject({ leave: expect.any(Function) })
})

it('keeps a place for owners and the secret key, which others cannot hold', async () => {
  for (const who of [{ operator: undefined }, by('olga', undefined, 'owner')]) {
    const turns = new OfficeTurns('postgres')
    await Promise.all(['ann', 'ann', 'ben', 'ben'].map((name) => turns.export(by(name))))
    const kept = await turns.export(who)
    for (const role of ['editor', 'viewer'] as const) {
      const late = expect(turns.export(by(role, undefined, role))).rejects.toMatchObject({
        code: 'too_many_exports',
      })
      await settled()
      // What waits for the others' places has nobody give up the kept one.
      expect(kept.isWanted()).toBe(false)
      await vi.advanceTimersByTimeAsync(10_000)
      await late
    }
  }
})

it('makes two large pages of an operator at once, and has ten wait', async () => {
  const turns = new OfficeTurns('postgres')
  let begun = 0
  const ends: (() => void)[] = []
  const make = () => {
    begun += 1
    return new Promise<string>((resolve) => ends.push(() => resolve('page')))
  }
  const pages = Array.from({ length: 12 }, () => turns.read(by('ann'), 500, make))
  await expect(turns.read(by('ann'), 1_000, make)).rejects.toMatchObject({
    code: 'too_many_pages',
    waitSeconds: 2,
  })
  await settled()
  expect(begun).toBe(2)
  const other = turns.read(by('ben'), 1_000, make)
  await settled()
  expect(begun).toBe(3)
  while (ends.length > 0) {
    ends.shift()?.()
    await settled()
  }
  expect(await Promise.all([...pages, other])).toEqual(Array(13).fill('page'))
})

it('refuses reads of an operator beyond the forty that wait, and none of another', async () => {
  const turns = new OfficeTurns('pglite')
  const ends: (() => void)[] = []
  const read = () => new Promise<string>((resolve) => ends.push(() => resolve('row')))
  const given = turns.read(by('ann'), 10, read)
  await settled()
  const leaving = Array.from({ length: 41 }, () => new AbortController())
  const next = leaving.map(({ signal }) => turns.read(by('ann', signal), undefined, read))
  const gone = Promise.allSettled(next)
  await settled()
  await expect(turns.read(by('ann'), 10, read)).rejects.toMatchObject({
    code: 'too_many_reads',
    waitSeconds: 1,
  })
  const other = turns.read(by('ben'), 10, read)
  await settled()
  expect(ends).toHaveLength(1)
  for (const one of leaving) one.abort()
  for (const { status } of await gone) expect(status).toBe('rejected')
  // What runs already has its answer; what nobody waits for any more never begins.
  ends[0]?.()
  expect(await given).toBe('row')
  await settled()
  expect(ends).toHaveLength(2)
  ends[1]?.()
  expect(await other).toBe('row')
})

it('tells what went wrong with a page as it is', async () => {
  const broken = new Error('broken')
  await expect(new OfficeTurns('postgres').read(by('ann'), 1_000, () => Promise.reject(broken))).rejects.toBe(
    broken,
  )
})
