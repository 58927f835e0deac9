import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { heldBody } from './held-body.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const MEGABYTE = 1_000_000

/** An export of so many parts of a megabyte each, as its client takes it. */
function opened(parts: number) {
  const state = { made: 0, isCancelled: false, isWanted: false, isAllowed: true }
  const leave = vi.fn()
  const leaving = new AbortController()
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.made === parts) return controller.close()
        controller.enqueue(new Uint8Array(MEGABYTE).fill(++state.made))
      },
      cancel() {
        state.isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const check = async () => {
    if (!state.isAllowed) throw new Error('Removed')
  }
  const isWanted = () => state.isWanted
  const reader = heldBody(body, { leave, left: leaving.signal, check, isWanted }).getReader()
  return { state, leave, leaving, reader }
}
const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000)

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
})

it('hands all of a body on in small pieces, and ends its turn', async () => {
  const { leave, reader } = opened(3)
  const bytes: number[] = []
  let longest = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    longest = Math.max(longest, value.length)
    for (const byte of value) bytes.push(byte)
  }
  expect(longest).toBeLessThan(100_000)
  expect([1, 2, 3].map((part) => bytes.filter((byte) => byte === part).length)).toEqual(
    Array(3).fill(MEGABYTE),
  )
  expect(bytes).toHaveLength(3 * MEGABYTE)
  expect(leave).toHaveBeenCalled()
})

it('breaks off, and ends its turn, where its client has read nothing for twenty seconds and others wait', async () => {
  const { state, leave, reader } = opened(3)
  await reader.read()
  await wait(3_600)
  expect(leave).not.toHaveBeenCalled()
  state.isWanted = true
  await wait(1)
  expect(leave).toHaveBeenCalled()
  expect(state.isCancelled).toBe(true)
  await expect(reader.read()).rejects.toMatchObject({ code: 'too_many_exports' })
})

it('goes on for a client who reads slowly, though others wait', async () => {
  const { state, leave, reader } = opened(1)
  state.isWanted = true
  for (let piece = 0; piece < 10; piece++) {
    await reader.read()
    await wait(19)
  }
  expect(leave).not.toHaveBeenCalled()
  await reader.cancel()
  expect(leave).toHaveBeenCalled()
})

it('breaks off within ten seconds once who asked may have no more, though they read on', async () => {
  const { state, leave, reader } = opened(100)
  await reader.read()
  await wait(60)
  state.isAllowed = false
  await wait(10)
  expect(leave).toHaveBeenCalled()
  expect(state.isCancelled).toBe(true)
  await expect(reader.read()).rejects.toThrow('Removed')
  expect(state.made).toBe(1)
})

it('breaks off while its next part is made', async () => {
  const leave = vi.fn()
  const never = new ReadableStream<Uint8Array>({}, { highWaterMark: 0 })
  const check = () => Promise.reject(new Error('Removed'))
  const left = new AbortController().signal
  const reading = heldBody(never, { leave, left, check, isWanted: () => true })
    .getReader()
    .read()
  const broken = expect(reading).rejects.toThrow('Removed')
  await wait(10)
  await broken
  expect(leave).toHaveBeenCalled()
})

it('ends its turn when its client goes away', async () => {
  const { state, leave, leaving, reader } = opened(3)
  await reader.read()
  leaving.abort()
  expect(leave).toHaveBeenCalled()
  await wait(0)
  expect(state.isCancelled).toBe(true)
})
