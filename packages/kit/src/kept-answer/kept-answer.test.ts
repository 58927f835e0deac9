import { expect, it } from 'vitest'
import { ManualClock } from '../clock/manual-clock.js'
import { KeptAnswer } from './kept-answer.js'

function counted(clock: ManualClock) {
  let asked = 0
  const ask = async () => {
    asked += 1
    return asked
  }
  const answer = new KeptAnswer({ ask, keptMs: 1_000, clock })
  return { answer, asked: () => asked }
}

it('asks once for all who come within its time, whatever happens to the clock of the machine', async () => {
  const clock = new ManualClock()
  const { answer, asked } = counted(clock)
  expect(await Promise.all([answer.get(), answer.get()])).toEqual([1, 1])
  clock.advance(999)
  clock.step(-3_600_000)
  expect(await answer.get()).toBe(1)
  clock.step(7_200_000)
  expect(await answer.get()).toBe(1)
  clock.advance(1)
  expect([await answer.get(), asked()]).toEqual([2, 2])
})

it('asks anew at once when it is told to, and keeps that answer', async () => {
  const clock = new ManualClock()
  const { answer } = counted(clock)
  await answer.get()
  clock.advance(500)
  expect(await answer.renew()).toBe(2)
  clock.advance(999)
  expect(await answer.get()).toBe(2)
})

it('lets all of them fail together, and tries again after its time', async () => {
  const clock = new ManualClock()
  let asked = 0
  const answer = new KeptAnswer({
    ask: () => {
      asked += 1
      return asked === 1 ? Promise.reject(new Error('gone')) : Promise.resolve('here')
    },
    keptMs: 1_000,
    clock,
  })
  await expect(answer.get()).rejects.toThrow('gone')
  await expect(answer.get()).rejects.toThrow('gone')
  clock.advance(1_000)
  expect(await answer.get()).toBe('here')
})
