import { describe, expect, it } from 'vitest'
import { PreviewStore, PreviewsBusyError } from './preview-store.js'

/** A renderer that draws when it is told to. */
function scripted() {
  const asked: string[] = []
  const pending: { name: string; finish: (error?: Error) => void }[] = []
  const draw = (name: string) =>
    new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      asked.push(name)
      pending.push({
        name,
        finish: (error) => (error ? reject(error) : resolve(new Uint8Array(10).fill(name.length))),
      })
    })
  return {
    draw,
    asked,
    /** Ends the drawings that have begun, and those that begin by it. */
    async finish(error?: Error) {
      for (let next = pending.shift(); next; next = pending.shift()) {
        next.finish(error)
        await new Promise(setImmediate)
      }
    },
  }
}
const instant = (asked: string[]) => async (name: string) => {
  asked.push(name)
  return new Uint8Array(10)
}

describe('the pictures', () => {
  it('are drawn once, however many ask', async () => {
    const { draw, asked, finish } = scripted()
    const store = new PreviewStore(draw)
    const first = Array.from({ length: 100 }, () => store.get('Ada'))
    await finish()
    expect(new Set(await Promise.all(first)).size).toBe(1)
    await store.get('Ada')
    expect(asked).toEqual(['Ada'])
  })

  it('have a tag by what they show', async () => {
    const store = new PreviewStore(async (name) => new Uint8Array(10).fill(name.length))
    const [ada, bob, acme] = await Promise.all(['Ada', 'Bob', 'Acme'].map((name) => store.get(name)))
    expect(ada?.etag).toMatch(/^"[\w-]{22}"$/)
    expect(bob?.etag).toBe(ada?.etag)
    expect(acme?.etag).not.toBe(ada?.etag)
  })

  it('are drawn a few at a time, and refused when too many wait', async () => {
    const { draw, asked, finish } = scripted()
    const store = new PreviewStore(draw, { drawing: 2, waiting: 2 })
    const taken = ['a', 'b', 'c', 'd'].map((name) => store.get(name))
    await expect(store.get('e')).rejects.toThrow(PreviewsBusyError)
    // Whoever asks for one that is on its way only waits with the others.
    const joined = store.get('d')
    expect(asked).toEqual(['a', 'b'])
    await finish()
    expect(await Promise.all([...taken, joined])).toHaveLength(5)
    expect(asked).toEqual(['a', 'b', 'c', 'd'])
    const later = store.get('e')
    await finish()
    await later
    expect(asked).toContain('e')
  })

  it('need no queue while nothing is drawn', async () => {
    const store = new PreviewStore(instant([]), { drawing: 1, waiting: 0 })
    await store.get('a')
    expect((await store.get('b')).body).toHaveLength(10)
  })

  it('make room for the next after a failure, and are tried again a minute later', async () => {
    const { draw, asked, finish } = scripted()
    let nowMs = 0
    const store = new PreviewStore(draw, { drawing: 1, waiting: 1 }, () => nowMs)
    const failed = [store.get('a'), store.get('b')].map((drawn) => drawn.catch((error) => String(error)))
    await finish(new Error('no ink'))
    expect(await Promise.all(failed)).toEqual(['Error: no ink', 'Error: no ink'])
    nowMs = 59_999
    await expect(store.get('a')).rejects.toThrow('no ink')
    expect(asked).toEqual(['a', 'b'])
    nowMs = 60_000
    const again = store.get('a')
    await finish()
    await again
    expect(asked).toEqual(['a', 'b', 'a'])
  })

  it('forget the oldest failures of many', async () => {
    const asked: string[] = []
    const store = new PreviewStore(
      async (name) => {
        asked.push(name)
        throw new Error('no ink')
      },
      { failed: 2 },
    )
    for (const name of ['a', 'b', 'c', 'c', 'b', 'a']) await expect(store.get(name)).rejects.toThrow('no ink')
    expect(asked).toEqual(['a', 'b', 'c', 'a'])
  })

  it('are kept by count, those asked for last', async () => {
    const asked: string[] = []
    const store = new PreviewStore(instant(asked), { count: 2 })
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await store.get(name)
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })

  it('are kept by size, names included', async () => {
    const asked: string[] = []
    const store = new PreviewStore(instant(asked), { bytes: 30 })
    for (const name of ['a', 'b', 'b', 'a', 'long name, long name', 'a']) await store.get(name)
    expect(asked).toEqual(['a', 'b', 'long name, long name', 'a'])
  })
})
