import { describe, expect, it } from 'vitest'
import { PhraseCache } from './phrase-cache.js'

function cacheWithLog(mostBytes?: number) {
  const made: string[] = []
  const cache = new PhraseCache(async (text) => {
    made.push(text)
    if (text.startsWith('bad')) throw new Error(text)
    return new Int16Array(text.length)
  }, mostBytes)
  return { cache, made }
}

describe('PhraseCache', () => {
  it('makes a phrase once, also when it is asked for twice at the same time', async () => {
    const { cache, made } = cacheWithLog()
    const [one, two] = await Promise.all([cache.get('hello'), cache.get('hello')])
    expect(one).toBe(two)
    expect(await cache.get('hello')).toBe(one)
    expect(made).toEqual(['hello'])
  })

  it('drops what was not used for longest when it is full', async () => {
    const { cache, made } = cacheWithLog(20)
    await cache.get('aaaa')
    await cache.get('bbbb')
    await cache.get('aaaa')
    await cache.get('cccc')
    await cache.get('aaaa')
    await cache.get('bbbb')
    expect(made).toEqual(['aaaa', 'bbbb', 'cccc', 'bbbb'])
  })

  it('makes a phrase that failed again', async () => {
    const { cache, made } = cacheWithLog()
    await expect(cache.get('bad')).rejects.toThrow('bad')
    await expect(cache.get('bad')).rejects.toThrow('bad')
    expect(made).toEqual(['bad', 'bad'])
  })
})
