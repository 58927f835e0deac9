import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PreparedToken } from './prepared-token.js'

/** Tokens whose making the test ends. */
function tokens() {
  const makings: { signal: AbortSignal; resolve(token: string): void; reject(error: Error): void }[] = []
  let now = 0
  const prepared = new PreparedToken(
    (signal) =>
      new Promise((resolve, reject) => {
        makings.push({ signal, resolve, reject })
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
    () => now,
  )
  return {
    prepared,
    makings,
    wait: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

describe('a prepared token', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(console, 'debug').mockImplementation(() => undefined)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('is made ahead, once, and given to who asks', async () => {
    const { prepared, makings } = tokens()
    prepared.prepare()
    prepared.prepare()
    makings[0]?.resolve('first')
    expect(await prepared.token()).toBe('first')
    expect(makings).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is made when it is asked for, where none was', async () => {
    const { prepared, makings } = tokens()
    const token = prepared.token()
    makings[0]?.resolve('first')
    expect(await token).toBe('first')
  })

  it('is given away once', async () => {
    const { prepared, makings } = tokens()
    const first = prepared.token()
    makings[0]?.resolve('first')
    await first
    const second = prepared.token()
    makings[1]?.resolve('second')
    expect(await second).toBe('second')
  })

  it('is made anew when it is older than four minutes', async () => {
    const { prepared, makings, wait } = tokens()
    prepared.prepare()
    makings[0]?.resolve('old')
    wait(4 * 60_000)
    const token = prepared.token()
    makings[1]?.resolve('fresh')
    expect(await token).toBe('fresh')
  })

  it('is not older than four minutes at any moment before', async () => {
    const { prepared, makings, wait } = tokens()
    prepared.prepare()
    makings[0]?.resolve('first')
    wait(4 * 60_000 - 1)
    expect(await prepared.token()).toBe('first')
  })

  it('that could not be made ahead is made anew for who asks', async () => {
    const { prepared, makings } = tokens()
    prepared.prepare()
    makings[0]?.reject(new Error('offline'))
    await vi.runAllTimersAsync()
    const token = prepared.token()
    makings[1]?.resolve('second')
    expect(await token).toBe('second')
  })

  it('rejects where it could not be made, and the next who asks gets a new one', async () => {
    const { prepared, makings } = tokens()
    const token = prepared.token()
    makings[0]?.reject(new Error('offline'))
    await expect(token).rejects.toThrow('offline')
    const next = prepared.token()
    makings[1]?.resolve('second')
    expect(await next).toBe('second')
  })

  it('waits no longer than its signal, and goes on for the next who asks', async () => {
    const { prepared, makings } = tokens()
    const asking = new AbortController()
    const token = prepared.token(asking.signal)
    asking.abort(new Error('too late'))
    await expect(token).rejects.toThrow('too late')
    expect(makings[0]?.signal.aborted).toBe(false)
    const next = prepared.token()
    makings[0]?.resolve('first')
    expect(await next).toBe('first')
  })

  it('ends with its form while it is made', async () => {
    const { prepared, makings } = tokens()
    prepared.prepare()
    prepared.drop()
    expect(makings[0]?.signal.aborted).toBe(true)
    prepared.prepare()
    expect(makings).toHaveLength(2)
  })

  it('outlives its form once it is made: it was not used', async () => {
    const { prepared, makings } = tokens()
    prepared.prepare()
    makings[0]?.resolve('first')
    await vi.runAllTimersAsync()
    prepared.drop()
    expect(await prepared.token()).toBe('first')
  })

  it('takes no longer than two minutes', async () => {
    const { prepared, makings } = tokens()
    const token = prepared.token()
    const refused = expect(token).rejects.toThrow('aborted')
    await vi.advanceTimersByTimeAsync(2 * 60_000)
    expect(makings[0]?.signal.aborted).toBe(true)
    await refused
  })
})
