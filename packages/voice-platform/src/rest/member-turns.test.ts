import { ManualClock } from '@heyline/kit/manual-clock'
import type { Leave } from '@heyline/kit/waiting-line'
import { expect, it } from 'vitest'
import { MemberTurns } from './member-turns.js'

const settled = () => new Promise((resolve) => setImmediate(resolve))

function opened() {
  const clock = new ManualClock()
  const turns = new MemberTurns('pglite', clock)
  const begun: string[] = []
  const leaves: Leave[] = []
  const ask = (member: string, left = new AbortController().signal) =>
    turns.enter(member, left).then((leave) => {
      begun.push(member)
      leaves.push(leave)
    })
  return { clock, turns, begun, leaves, ask }
}

it('answers two of a member and three of all at once, and has the others wait', async () => {
  const { begun, leaves, ask } = opened()
  const all = ['ann', 'ann', 'ann', 'ben', 'ben'].map((member) => ask(member))
  await settled()
  expect(begun).toEqual(['ann', 'ann', 'ben'])
  for (let ended = 0; ended < 5; ended++) {
    leaves.shift()?.()
    await settled()
  }
  await Promise.all(all)
  expect(begun).toHaveLength(5)
})

it('refuses what is more than may wait, and has another member in all the same', async () => {
  const { begun, leaves, ask } = opened()
  const all = Array.from({ length: 42 }, () => ask('ann'))
  await expect(ask('ann')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 })
  all.push(ask('ben'))
  await settled()
  expect(begun).toEqual(['ann', 'ann', 'ben'])
  while (begun.length < all.length) {
    leaves.shift()?.()
    await settled()
  }
  await Promise.all(all)
})

it('has a member rest whose reads take all the time, and no other', async () => {
  const { clock, begun, leaves, ask } = opened()
  const long = ask('ann')
  await settled()
  clock.advance(2_300)
  leaves.shift()?.()
  await long
  const leaving = new AbortController()
  const all = [ask('ann'), ask('ben')]
  const gone = expect(ask('ann', leaving.signal)).rejects.toMatchObject({ status: 429 })
  await settled()
  expect(begun).toEqual(['ann', 'ben'])
  leaving.abort()
  await gone
  clock.advance(1_200)
  await Promise.all(all)
  expect(begun).toEqual(['ann', 'ben', 'ann'])
})

it('lets a member who reads little read at once, however often', async () => {
  const { clock, begun, leaves, ask } = opened()
  for (let read = 0; read < 100; read++) {
    const one = ask('ann')
    await settled()
    clock.advance(100)
    leaves.shift()?.()
    await one
    clock.advance(400)
  }
  expect(begun).toHaveLength(100)
})

it('forgets who has gone away meanwhile', async () => {
  const { begun, leaves, ask } = opened()
  const leaving = new AbortController()
  void ask('ann')
  void ask('ann')
  const gone = ask('ann', leaving.signal)
  leaving.abort()
  await expect(gone).rejects.toMatchObject({ status: 429 })
  for (const leave of leaves) leave()
  await settled()
  expect(begun).toHaveLength(2)
})

it('makes two parts of long answers at once, and holds no turn while they are read', async () => {
  const { turns } = opened()
  const ends: (() => void)[] = []
  async function* parts() {
    for (let part = 0; part < 2; part++) {
      await new Promise<void>((resolve) => ends.push(resolve))
      yield part
    }
  }
  const answers = ['ann', 'ben', 'cat'].map((member) => turns.inTurns(member, parts()))
  const first = answers.map((answer) => answer.next())
  await settled()
  expect(ends).toHaveLength(2)
  ends.shift()?.()
  await settled()
  ends.shift()?.()
  ends.shift()?.()
  expect(await Promise.all(first)).toEqual(Array(3).fill({ done: false, value: 0 }))
  for (const answer of answers) await answer.return()
})

it('makes one part of a member at a time, so that many long answers of one keep no other waiting', async () => {
  const { turns } = opened()
  const begun: string[] = []
  const ends: (() => void)[] = []
  async function* parts(member: string) {
    begun.push(member)
    await new Promise<void>((resolve) => ends.push(resolve))
    yield member
  }
  const answers = ['ann', 'ann', 'ann', 'ben'].map((member) => turns.inTurns(member, parts(member)))
  const first = answers.map((answer) => answer.next())
  await settled()
  expect(begun).toEqual(['ann', 'ben'])
  while (begun.length < 4 || ends.length > 0) {
    ends.shift()?.()
    await settled()
  }
  expect((await Promise.all(first)).map(({ value }) => value)).toEqual(['ann', 'ann', 'ann', 'ben'])
  for (const answer of answers) await answer.return()
})

it('lets a member export one file at a time, and two members at once', () => {
  const { turns } = opened()
  const ann = turns.tryExport('ann')
  expect(ann).toBeDefined()
  expect(turns.tryExport('ann')).toBeUndefined()
  expect(turns.tryExport('ben')).toBeDefined()
  expect(turns.tryExport('cat')).toBeUndefined()
  ann?.()
  const again = turns.tryExport('ann')
  expect(again).toBeDefined()
  // An old turn ends once.
  ann?.()
  expect(turns.tryExport('ann')).toBeUndefined()
})
