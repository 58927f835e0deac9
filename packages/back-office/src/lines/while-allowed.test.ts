import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { whileAllowed } from './while-allowed.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** One value, and no more until it is ended. */
async function* endless(left: AbortSignal) {
  yield 'first'
  await new Promise((resolve) => left.addEventListener('abort', resolve))
}

it('ends the values soon after whoever follows them may no more', async () => {
  const left = new AbortController()
  let isAllowed = true
  const check = async () => {
    if (!isAllowed) throw new Error('Removed')
  }
  const values = whileAllowed(endless(left.signal), check, left)
  expect((await values.next()).value).toBe('first')
  const next = values.next()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(left.signal.aborted).toBe(false)
  isAllowed = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await next).toEqual({ done: true, value: undefined })
  expect(vi.getTimerCount()).toBe(0)
})

it('asks no more once nobody follows', async () => {
  const left = new AbortController()
  const values = whileAllowed(endless(left.signal), async () => {}, left)
  await values.next()
  await values.return(undefined)
  expect(vi.getTimerCount()).toBe(0)
})
