import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Loop } from './loop.js'

describe('Loop', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('runs at once, then after each pause', async () => {
    const run = vi.fn(async () => {})
    const loop = new Loop({ everyMs: 1000, run, onError: () => {} })
    loop.start()
    expect(run).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(3000)
    expect(run).toHaveBeenCalledTimes(4)
    await loop.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('runs one at a time, and once more when woken meanwhile', async () => {
    const ends: (() => void)[] = []
    const loop = new Loop({
      everyMs: 1000,
      run: () => new Promise((resolve) => ends.push(resolve)),
      onError: () => {},
    })
    loop.start()
    loop.wake()
    loop.wake()
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(ends).toHaveLength(2)
    ends[1]?.()
    await vi.advanceTimersByTimeAsync(999)
    expect(ends).toHaveLength(2)
    await loop.close()
  })

  it('keeps runs apart, however often it is woken, and begins the first one at once', async () => {
    const run = vi.fn(async () => {})
    const loop = new Loop({ everyMs: 1000, apartMs: 50, run, onError: () => {} })
    loop.start()
    expect(run).toHaveBeenCalledTimes(1)
    for (let ms = 0; ms < 100; ms += 1) {
      loop.wake()
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(run).toHaveBeenCalledTimes(3)
    await vi.advanceTimersByTimeAsync(49)
    loop.wake()
    expect(run).toHaveBeenCalledTimes(3)
    await vi.advanceTimersByTimeAsync(1)
    expect(run).toHaveBeenCalledTimes(4)
    await vi.advanceTimersByTimeAsync(500)
    loop.wake()
    expect(run).toHaveBeenCalledTimes(5)
    await loop.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('goes on after a run that failed', async () => {
    const onError = vi.fn()
    const error = new Error('no')
    const loop = new Loop({ everyMs: 1000, run: () => Promise.reject(error), onError })
    loop.start()
    await vi.advanceTimersByTimeAsync(1000)
    expect(onError.mock.calls).toEqual([[error], [error]])
    await loop.close()
  })

  it('waits for the present run when it closes, and begins no other', async () => {
    const ends: (() => void)[] = []
    const loop = new Loop({
      everyMs: 1000,
      run: () => new Promise((resolve) => ends.push(resolve)),
      onError: () => {},
    })
    loop.start()
    let closed = false
    const closing = loop.close().then(() => {
      closed = true
    })
    loop.wake()
    await vi.advanceTimersByTimeAsync(5000)
    expect(closed).toBe(false)
    ends[0]?.()
    await closing
    expect(ends).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
