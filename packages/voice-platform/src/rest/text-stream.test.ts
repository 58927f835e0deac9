import { describe, expect, it, vi } from 'vitest'
import { textStream } from './text-stream.js'

async function* texts(...all: string[]): AsyncGenerator<string, void> {
  for (const text of all) {
    if (text === 'broken') throw new Error('broken')
    yield text
  }
}
const ends = () => ({ failed: vi.fn(), ended: vi.fn() })

describe('a body of texts', () => {
  it('has all of them, and says that it ended', async () => {
    const told = ends()
    expect(await new Response(textStream(texts('a', 'ü', 'c'), told)).text()).toBe('aüc')
    expect([told.ended.mock.calls.length, told.failed.mock.calls.length]).toEqual([1, 0])
  })

  it('makes none before it is taken, and ends where the client goes', async () => {
    const told = ends()
    const parts = texts('a', 'b')
    const next = vi.spyOn(parts, 'next')
    const reader = textStream(parts, told).getReader()
    await Promise.resolve()
    expect(next).not.toHaveBeenCalled()
    await reader.read()
    await reader.cancel()
    expect(next).toHaveBeenCalledTimes(1)
    expect([told.ended.mock.calls.length, told.failed.mock.calls.length]).toEqual([1, 0])
    expect(await parts.next()).toEqual({ done: true, value: undefined })
  })

  it('says that it ended, and nothing of a failure, where the client goes while a part is made', async () => {
    const told = ends()
    let make: (text: string) => void = () => {}
    async function* slow() {
      yield await new Promise<string>((resolve) => (make = resolve))
    }
    const reader = textStream(slow(), told).getReader()
    const read = reader.read()
    await Promise.resolve()
    const gone = reader.cancel()
    make('a')
    await Promise.all([read, gone])
    await new Promise((resolve) => setImmediate(resolve))
    expect([told.ended.mock.calls.length, told.failed.mock.calls.length]).toEqual([1, 0])
  })

  it('breaks off where a part fails', async () => {
    const told = ends()
    await expect(new Response(textStream(texts('a', 'broken'), told)).text()).rejects.toThrow('broken')
    expect([told.ended.mock.calls.length, told.failed.mock.calls.length]).toEqual([1, 1])
  })
})
