import { describe, expect, it } from 'vitest'
import { untilAborted } from './abortable.js'

describe('untilAborted', () => {
  it('passes items on', async () => {
    async function* source() {
      yield 1
      yield 2
    }
    const items: number[] = []
    for await (const item of untilAborted(source(), new AbortController().signal)) items.push(item)
    expect(items).toEqual([1, 2])
  })

  it('ends at an abort even where the source does not notice', async () => {
    const controller = new AbortController()
    const reason = new Error('stop')
    async function* source() {
      yield 1
      await new Promise(() => {})
    }
    const stream = untilAborted(source(), controller.signal)
    await stream.next()
    const next = stream.next()
    controller.abort(reason)
    await expect(next).rejects.toBe(reason)
  })

  it('tells the source when nobody listens any more', async () => {
    let isOver = false
    async function* source() {
      try {
        yield 1
        yield 2
      } finally {
        isOver = true
      }
    }
    for await (const _ of untilAborted(source(), new AbortController().signal)) break
    await Promise.resolve()
    expect(isOver).toBe(true)
  })
})
