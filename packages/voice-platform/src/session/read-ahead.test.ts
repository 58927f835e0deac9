import { describe, expect, it } from 'vitest'
import { settled } from '../testing/session-bench.js'
import { ReadAhead } from './read-ahead.js'

async function* counting(most: number, seen: number[]): AsyncGenerator<number> {
  for (let n = 1; n <= most; n += 1) {
    seen.push(n)
    yield n
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = []
  for await (const item of items) read.push(item)
  return read
}

describe('ReadAhead', () => {
  it('reads before anybody asks, and gives all of it in order', async () => {
    const seen: number[] = []
    const ahead = new ReadAhead(counting(3, seen))
    await settled()
    expect(seen).toEqual([1, 2, 3])
    expect(await all(ahead)).toEqual([1, 2, 3])
  })

  it('gives each item as it comes to a reader who waits', async () => {
    let give = (_: string) => {}
    const ahead = new ReadAhead(
      (async function* () {
        for (let n = 0; n < 2; n += 1)
          yield await new Promise<string>((resolve) => {
            give = resolve
          })
      })(),
    )
    const iterator = ahead[Symbol.asyncIterator]()
    for (const word of ['one', 'two']) {
      const next = iterator.next()
      await settled()
      give(word)
      expect(await next).toEqual({ done: false, value: word })
    }
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  it('gives a failure where it stands, after what came before it', async () => {
    const failure = new Error('broken')
    const ahead = new ReadAhead(
      (async function* () {
        yield 1
        throw failure
      })(),
    )
    await settled()
    const iterator = ahead[Symbol.asyncIterator]()
    expect(await iterator.next()).toEqual({ done: false, value: 1 })
    await expect(iterator.next()).rejects.toBe(failure)
  })

  it('stops at a hundred items that nobody takes, and goes on when they are taken', async () => {
    const seen: number[] = []
    const ahead = new ReadAhead(counting(250, seen))
    for (let n = 0; n < 30; n += 1) await settled()
    expect(seen).toHaveLength(100)
    expect(await all(ahead)).toHaveLength(250)
  })
})
