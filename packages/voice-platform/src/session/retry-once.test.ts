import { describe, expect, it } from 'vitest'
import { EngineError } from '../engines/engine.js'
import { retryOnce, retryStreamOnce } from './retry-once.js'

const { signal } = new AbortController()

/** A stream factory that gives one entry after the other: items, and an Error where it breaks. */
function streams(...scripts: (string | Error)[][]) {
  let opened = 0
  async function* open() {
    for (const item of scripts[opened++] ?? []) {
      if (item instanceof Error) throw item
      yield item
    }
  }
  return { open, opened: () => opened }
}

async function all(open: () => AsyncIterable<string>): Promise<string[]> {
  const items: string[] = []
  for await (const item of retryStreamOnce(open, { engine: 'test', signal })) items.push(item)
  return items
}

describe('retryOnce', () => {
  it('tries twice, not three times', async () => {
    let tries = 0
    const work = async () => {
      tries += 1
      if (tries < 3) throw new Error(`try ${tries}`)
      return 'done'
    }
    await expect(retryOnce(work, signal)).rejects.toThrow('try 2')
    await expect(retryOnce(work, signal)).resolves.toBe('done')
  })

  it('does not try again after an abort', async () => {
    let tries = 0
    const work = async () => {
      tries += 1
      throw new Error('aborted')
    }
    await expect(retryOnce(work, AbortSignal.abort())).rejects.toThrow('aborted')
    expect(tries).toBe(1)
  })
})

describe('retryStreamOnce', () => {
  it('tries again before the first item', async () => {
    expect(await all(streams([new Error('no')], ['a', 'b']).open)).toEqual(['a', 'b'])
    expect(await all(streams([], ['a']).open)).toEqual(['a'])
  })

  it('never repeats what was passed on', async () => {
    const source = streams(['a', new Error('broke')], ['a', 'b'])
    await expect(all(source.open)).rejects.toThrow('broke')
    expect(source.opened()).toBe(1)
  })

  it('gives up after two tries', async () => {
    await expect(all(streams([new Error('one')], [new Error('two')], ['a']).open)).rejects.toThrow('two')
    await expect(all(streams([], [], ['a']).open)).rejects.toThrow(EngineError)
  })
})
