import { describe, expect, it } from 'vitest'
import { PhraseCache } from './phrase-cache.js'

function cacheWithLog(mostBytes?: number) {
  const made: string[] = []
  const make = async (text: string) => {
    if (text.startsWith('bad')) throw new Error(text)
    return new Int16Array(text.length)
  }
  const cache = new PhraseCache((text, { ahead }) => {
    made.push(ahead ? `${text} ahead` : text)
    // `late…` waits until it is dropped.
    const waits = text.startsWith('late')
    return {
      speech: waits ? new Promise(() => {}) : make(text),
      hurry: () => made.push(`${text} hurried`),
      drop: () => waits,
    }
  }, mostBytes)
  const get = (text: string) => cache.ask(text).speech
  return { cache, get, made: () => made.filter((entry) => !entry.endsWith('hurried')), all: made }
}

describe('PhraseCache', () => {
  it('makes a phrase once, also when it is asked for twice at the same time', async () => {
    const { get, made } = cacheWithLog()
    const [one, two] = await Promise.all([get('hello'), get('hello')])
    expect(one).toBe(two)
    expect(await get('hello')).toBe(one)
    expect(made()).toEqual(['hello'])
  })

  it('drops what was not used for longest when it is full', async () => {
    const { get, made } = cacheWithLog(20)
    await get('aaaa')
    await get('bbbb')
    await get('aaaa')
    await get('cccc')
    await get('aaaa')
    await get('bbbb')
    expect(made()).toEqual(['aaaa', 'bbbb', 'cccc', 'bbbb'])
  })

  it('makes a phrase that failed again', async () => {
    const { get, made } = cacheWithLog()
    await expect(get('bad')).rejects.toThrow('bad')
    await expect(get('bad')).rejects.toThrow('bad')
    expect(made()).toEqual(['bad', 'bad'])
  })

  it('makes what is prepared ahead of need, and hurries when somebody asks for it', () => {
    const { cache, all } = cacheWithLog()
    cache.prepare('late')
    cache.prepare('late')
    expect(all).toEqual(['late ahead'])
    cache.ask('late')
    expect(all).toEqual(['late ahead', 'late hurried'])
  })

  it('drops a phrase that waits once nobody asks for it any more', () => {
    const { cache, made } = cacheWithLog()
    const one = cache.ask('late')
    const two = cache.ask('late')
    one.leave()
    one.leave()
    cache.ask('late').leave()
    expect(made()).toEqual(['late'])
    two.leave()
    cache.ask('late')
    expect(made()).toEqual(['late', 'late'])
  })

  it('keeps a phrase that is made already when nobody asks for it any more', async () => {
    const { cache, get, made } = cacheWithLog()
    const request = cache.ask('hello')
    request.leave()
    await request.speech
    await get('hello')
    expect(made()).toEqual(['hello'])
  })
})
