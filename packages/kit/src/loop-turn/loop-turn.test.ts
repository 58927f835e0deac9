import { expect, it, vi } from 'vitest'
import { inSlices, loopTurn, mapInTurns } from './loop-turn.js'

/** How many turns the loop makes until the work is done. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  void work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  return turns
}
const numbers = (count: number) => Array.from({ length: count }, (_, place) => place)

it('gives one turn of the loop at a time, in the order in which it was asked for', async () => {
  const begun: number[] = []
  const all = numbers(20).map((place) => loopTurn().then(() => begun.push(place)))
  expect(await turnsOf(Promise.all(all))).toBeGreaterThanOrEqual(20)
  expect(begun).toEqual(numbers(20))
})

it('maps many values in turns, and a few at once', async () => {
  const many = mapInTurns(numbers(1_001), (value) => value * 2)
  expect(await turnsOf(many)).toBeGreaterThanOrEqual(11)
  expect(await many).toEqual(numbers(1_001).map((value) => value * 2))
  expect(await turnsOf(mapInTurns(numbers(100), String))).toBeLessThanOrEqual(1)
})

it('cuts parts into slices, and keeps every value in its place', async () => {
  async function* parts() {
    yield numbers(250)
    yield []
    yield numbers(3)
  }
  const lengths: number[] = []
  const values: number[] = []
  for await (const slice of inSlices(parts())) {
    lengths.push(slice.length)
    values.push(...slice)
  }
  expect(lengths).toEqual([100, 100, 50, 3])
  expect(values).toEqual([...numbers(250), ...numbers(3)])
})

it('gives turns in browsers, which have no setImmediate', async () => {
  vi.stubGlobal('setImmediate', undefined)
  try {
    expect(await mapInTurns(numbers(101), String)).toHaveLength(101)
  } finally {
    vi.unstubAllGlobals()
  }
})
