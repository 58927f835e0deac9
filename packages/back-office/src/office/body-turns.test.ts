import { expect, it } from 'vitest'
import { doNotCallOperations } from '../operations/do-not-call-operations.js'
import type { Operation } from '../operations/operation.js'
import { visitorOperations } from '../operations/visitor-operations.js'
import { BodyTurns, type HeldBytes } from './body-turns.js'

const IMPORT: Operation = visitorOperations.import
const ADDING: Operation = doNotCallOperations.add

const settled = () => new Promise((resolve) => setImmediate(resolve))

function opened() {
  const turns = new BodyTurns()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const send = (userId: string, { operation = IMPORT, left = new AbortController().signal, hold = 0 } = {}) =>
    turns.run(
      { operator: { userId, email: '', role: 'editor', aal: 'aal1', enteredAt: 0 }, left },
      operation,
      async (held: HeldBytes) => {
        begun.push(userId)
        held.add(hold)
        await new Promise<void>((resolve) => ends.push(resolve))
        return 'stored'
      },
    )
  return { turns, begun, ends, send }
}

it('lets an operator send two files at once, and all four, and refuses what is more than may wait', async () => {
  const { begun, ends, send } = opened()
  const all = ['ann', 'ann', 'ann', 'ann', 'ben', 'ben', 'cid'].map((name) => send(name))
  await expect(send('ann')).rejects.toMatchObject({ code: 'too_many_imports', waitSeconds: 10 })
  await settled()
  expect(begun).toEqual(['ann', 'ann', 'ben', 'ben'])
  for (let done = 0; done < 7; done++) {
    ends.shift()?.()
    await settled()
  }
  expect(await Promise.all(all)).toEqual(Array(7).fill('stored'))
})

it('reads no file of who has gone away meanwhile', async () => {
  const { begun, ends, send } = opened()
  const open = [send('ann'), send('ann')]
  const leaving = new AbortController()
  const given = send('ann', { left: leaving.signal })
  leaving.abort(new Error('gone'))
  await expect(given).rejects.toThrow('gone')
  for (const end of ends) end()
  await Promise.all(open)
  expect(begun).toHaveLength(2)
})

it('holds 250 MB of one operator and 350 MB of all, and counts no longer what is stored or broke off', async () => {
  const { ends, send } = opened()
  await expect(send('ann', { hold: 250_000_001 })).rejects.toMatchObject({ code: 'too_large' })
  const open = [send('ann', { hold: 150_000_000 }), send('ann', { hold: 100_000_000 })]
  await settled()
  await expect(send('ben', { hold: 100_000_001 })).rejects.toMatchObject({ code: 'busy', waitSeconds: 30 })
  const other = send('ben', { hold: 100_000_000 })
  await settled()
  for (const end of ends) end()
  expect(await Promise.all([...open, other])).toEqual(Array(3).fill('stored'))
})

it('has short bodies wait for nobody, but counts them', async () => {
  const { begun, ends, send } = opened()
  const operation = ADDING
  const all = Array.from({ length: 30 }, () => send('ann', { operation, hold: 8_000_000 }))
  await settled()
  expect(begun).toHaveLength(30)
  await expect(send('ann', { operation, hold: 11_000_000 })).rejects.toMatchObject({ code: 'too_large' })
  for (const end of ends) end()
  await Promise.all(all)
})
