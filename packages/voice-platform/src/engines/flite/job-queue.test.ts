import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
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

describe('conversations that wait', () => {
  const [one, other] = [{}, {}]

  it('get one job each in turn, whoever has more', () => {
    const { clock, queue, order } = setUp()
    for (let n = 1; n <= 3; n += 1) queue.addLive(`one ${n}`, 1_000 + n, one)
    queue.addLive('other 1', 1_000, other)
    queue.addLive('other 2', 1_005, other)
    clock.advance(1_000)
    expect(order()).toEqual(['one 1', 'other 1', 'other 2', 'one 2', 'one 3'])
  })

  it('come after those who have not been heard yet', () => {
    const { clock, queue } = setUp()
    queue.addLive('one 1', 1_000, one)
    expect(queue.next()).toBe('one 1')
    queue.addLive('other 1', 1_000, other)
    queue.addLive('one 2', 1_100, one)
    clock.advance(500)
    expect([queue.next(), queue.next()]).toEqual(['other 1', 'one 2'])
  })

  it('have their next sentence in time, before first words that begin to wait', () => {
    const { queue, order } = setUp()
    queue.addLive('first words', 1_000, other)
    queue.addLive('of a speech that ends in 200 ms', 1_200, one)
    queue.addLive('of a speech that ends in 900 ms', 1_900, {})
    expect(order()).toEqual([
      'of a speech that ends in 200 ms',
      'first words',
      'of a speech that ends in 900 ms',
    ])
  })

  it('have eight jobs at most', () => {
    const { queue, order } = setUp()
    const added = Array.from({ length: 9 }, (_, n) => queue.addLive(`${n}`, 1_000, one))
    expect(added).toEqual([...Array(8).fill(true), false])
    expect(queue.addLive('other', 1_000, other)).toBe(true)
    expect(order()).toHaveLength(9)
  })

  it('move up with a job that was prepared, and are counted for it', () => {
    const { queue, order } = setUp()
    queue.addAhead('prepared')
    expect(queue.addLive('prepared', 1_000, one)).toBe(true)
    expect(order()).toEqual(['prepared'])
  })
})
