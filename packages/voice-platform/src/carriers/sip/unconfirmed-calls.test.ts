import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it, vi } from 'vitest'
import { UnconfirmedCalls } from './unconfirmed-calls.js'

function open(most = 1) {
  const clock = new ManualClock()
  const calls = new UnconfirmedCalls(most, clock)
  const entered: string[] = []
  const enter = async (name: string, giveUp = () => {}) => {
    const place = await calls.enter(giveUp)
    entered.push(name)
    return place
  }
  return { clock, entered, enter }
}

it('gives the place of a call that is confirmed, or not taken, to the next one at once', async () => {
  const { entered, enter } = open()
  const place = await enter('first')
  const next = enter('next')
  await turn()
  expect(entered).toEqual(['first'])
  place.free()
  place.free()
  await next
  expect(entered).toEqual(['first', 'next'])
})

it('keeps the place of a call that is over without its ACK for four seconds, whether or not another one waits', async () => {
  const { clock, entered, enter } = open()
  const cancelled = await enter('cancelled')
  cancelled.end()
  const next = enter('next')
  clock.advance(3_999)
  await turn()
  expect(entered).toEqual(['cancelled'])
  clock.advance(1)
  ;(await next).end()
  clock.advance(4_000)
  await enter('later')
  expect(entered).toEqual(['cancelled', 'next', 'later'])
})

it('gives up the one that was answered first, so that a flood has one call each four seconds', async () => {
  const { clock, entered, enter } = open(2)
  const giveUp = vi.fn()
  const [first, second] = [await enter('first', giveUp), await enter('second')]
  first.answered()
  clock.advance(1_000)
  second.answered()
  const waiting = enter('third')
  clock.advance(2_999)
  expect(giveUp).not.toHaveBeenCalled()
  clock.advance(1)
  await waiting
  expect(giveUp).toHaveBeenCalledOnce()
  expect(entered).toEqual(['first', 'second', 'third'])
})
