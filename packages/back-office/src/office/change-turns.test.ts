import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it, vi } from 'vitest'
import type { Asked } from '../access/asked.js'
import { ChangeTurns } from './change-turns.js'

const settled = () => new Promise((resolve) => setImmediate(resolve))

function opened(kind: 'pglite' | 'postgres' = 'pglite') {
  const clock = new ManualClock()
  const turns = new ChangeTurns(kind, clock)
  const begun: string[] = []
  const check = vi.fn(async () => {})
  const ends: (() => void)[] = []
  /** A change of so many parts, each of which ends when the test says so. */
  const change = (userId: string, parts: number, left = new AbortController().signal) => {
    const operator: Asked['operator'] = { userId, email: '', role: 'editor', aal: 'aal1', enteredAt: 0 }
    return turns.run({ operator, left, check }, async (inTurn) => {
      for (let part = 1; part <= parts; part += 1)
        await inTurn(async () => {
          begun.push(`${userId} ${part}`)
          await new Promise<void>((resolve) => ends.push(resolve))
        })
      return 'changed'
    })
  }
  const end = async (ms = 0) => {
    clock.advance(ms)
    ends.shift()?.()
    await settled()
    await settled()
  }
  return { clock, turns, change, begun, end, check }
}

it('gives operators turns part by part, and an operator one change after the other', async () => {
  const { change, begun, end } = opened()
  const all = [change('ann', 2), change('ann', 1), change('ben', 2)]
  await settled()
  for (let part = 0; part < 5; part += 1) await end()
  expect(begun).toEqual(['ann 1', 'ben 1', 'ann 2', 'ben 2', 'ann 1'])
  expect(await Promise.all(all)).toEqual(Array(3).fill('changed'))
})

it('rests for longer than the parts take on PGlite, so that others have more than half of its time', async () => {
  const { clock, change, begun, end } = opened()
  const changed = change('ann', 3)
  await settled()
  await end(1000)
  expect(begun).toHaveLength(1)
  clock.advance(1499)
  await settled()
  expect(begun).toHaveLength(1)
  clock.advance(1)
  await settled()
  expect(begun).toHaveLength(2)
  await end(1000)
  clock.advance(1499)
  await settled()
  expect(begun).toHaveLength(2)
  clock.advance(1)
  await settled()
  await end()
  expect(await changed).toBe('changed')
})

it('begins nothing for who has left, and refuses more than may wait', async () => {
  const { change, begun, end } = opened()
  const first = change('ann', 1)
  const leaving = new AbortController()
  const given = change('ann', 1, leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(given).rejects.toThrow('gone')
  const waiting = Array.from({ length: 20 }, () => change('ann', 1))
  await expect(change('ann', 1)).rejects.toMatchObject({ code: 'too_many_changes', waitSeconds: 10 })
  for (let part = 0; part < 21; part += 1) await end()
  await Promise.all([first, ...waiting])
  expect(begun).toHaveLength(21)
})

it('begins nothing for who was taken out while they waited', async () => {
  const { change, begun, end, check } = opened()
  const first = change('ann', 1)
  const queued = Array.from({ length: 8 }, () => change('ann', 1))
  const refused = Promise.allSettled(queued)
  await settled()
  check.mockRejectedValue(new Error('Removed'))
  await end()
  expect(await first).toBe('changed')
  for (const one of await refused) expect(one).toMatchObject({ reason: { message: 'Removed' } })
  expect(begun).toEqual(['ann 1'])
})

it('breaks off before the next part for who is taken out meanwhile, and lets that be taken back', async () => {
  const { turns, check } = opened('postgres')
  const done: string[] = []
  const left = new AbortController().signal
  const changed = turns.run({ operator: undefined, left, check }, async (inTurn) => {
    await inTurn(async () => void done.push('first'))
    check.mockRejectedValue(new Error('Removed'))
    try {
      await inTurn(async () => void done.push('second'))
    } catch (error) {
      await inTurn(async () => void done.push('taken back'))
      throw error
    }
  })
  await expect(changed).rejects.toThrow('Removed')
  expect(done).toEqual(['first', 'taken back'])
})
