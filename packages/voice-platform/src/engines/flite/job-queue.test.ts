import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { JobQueue } from './job-queue.js'

const setUp = () => {
  const clock = new ManualClock(1_000)
  const queue = new JobQueue<string>(clock)
  const order = () => {
    const taken: string[] = []
    for (let job = queue.next(); job !== undefined; job = queue.next()) taken.push(job)
    return taken
  }
  return { clock, queue, order }
}

it('gives what is needed soonest while nobody waits', () => {
  const { queue, order } = setUp()
  queue.addAhead('prepared')
  queue.addLive('in a minute', 61_000)
  queue.addLive('in a second', 2_000)
  expect(order()).toEqual(['in a second', 'in a minute', 'prepared'])
})

it('gives those who have waited least first, and the first of those who came together', () => {
  const { clock, queue, order } = setUp()
  queue.addLive('long', 1_000)
  queue.addLive('long too', 1_000)
  clock.advance(5_000)
  queue.addLive('just now', 6_000)
  queue.addLive('soon', 6_500)
  expect(order()).toEqual(['just now', 'long', 'long too', 'soon'])
})

it('gives every fourth job to whoever has waited longest', () => {
  const { clock, queue, order } = setUp()
  for (let second = 1; second <= 8; second += 1) queue.addLive(`${second}`, second * 1_000)
  clock.advance(20_000)
  expect(order()).toEqual(['8', '7', '6', '1', '5', '4', '3', '2'])
})

it('counts a sentence as waited for once the one before it was heard', () => {
  const { clock, queue, order } = setUp()
  queue.addLive('first words of a crowd', 1_000)
  queue.addLive('the next sentence', 3_000)
  clock.advance(2_500)
  expect(order()).toEqual(['the next sentence', 'first words of a crowd'])
})

it('takes the better place of a job that two wait for', () => {
  const { clock, queue, order } = setUp()
  queue.addLive('shared', 1_000)
  queue.addLive('other', 2_000)
  clock.advance(3_000)
  queue.addLive('shared', 4_000)
  queue.addLive('shared', 60_000)
  expect(order()).toEqual(['shared', 'other'])
})
