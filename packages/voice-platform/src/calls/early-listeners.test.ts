import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it, vi } from 'vitest'
import type { Transcriber, TranscriptionStream } from '../engines/engine.js'
import { EarlyListeners, MOST_WAITING, UNUSED_MS } from './early-listeners.js'

const events = { onPartial() {}, onPause() {}, onEndOfTurn() {} }
const streamOf = (name: string): TranscriptionStream => ({
  write() {},
  settle: async () => name,
  close() {},
})
const { signal } = new AbortController()

function bench({ isBroken = false } = {}) {
  const clock = new ManualClock()
  let open = 0
  const transcriber = {
    name: 'streaming',
    transcribe: async () => ({ text: 'whole', durationMs: 0 }),
    open: () => streamOf('new'),
    openAhead: () => {
      open += 1
      return {
        listen: () => (isBroken ? undefined : streamOf('waited')),
        close: () => {
          open -= 1
        },
      }
    },
  } satisfies Transcriber
  const openedAhead = vi.fn()
  const early = new EarlyListeners({ transcriber, measures: { openedAhead }, clock })
  const turnOf = async (callId: string) => {
    const own = early.transcriberOf(callId)
    const turn = async () => await own.open?.(events).settle({ signal })
    return [await turn(), await turn()]
  }
  return { clock, early, openedAhead, turnOf, transcriber, open: () => open }
}

it('the first turn of its call goes over the connection that waits, and no other', async () => {
  const { early, turnOf, openedAhead, clock } = bench()
  early.expect('a')
  early.expect('a')
  expect(await turnOf('b')).toEqual(['new', 'new'])
  expect(await turnOf('a')).toEqual(['waited', 'new'])
  expect(openedAhead.mock.calls).toEqual([['used']])
  early.forget('a')
  expect(clock.pending).toBe(0)
})

it('a connection that has broken meanwhile is made anew', async () => {
  const { early, turnOf, openedAhead } = bench({ isBroken: true })
  early.expect('a')
  expect(await turnOf('a')).toEqual(['new', 'new'])
  expect(openedAhead.mock.calls).toEqual([['broken']])
})

it('what nobody uses is closed: after a time, with its call, and with the process', () => {
  const { early, clock, open, openedAhead } = bench()
  early.expect('a')
  clock.advance(UNUSED_MS)
  expect(open()).toBe(0)
  early.expect('b')
  early.forget('b')
  early.expect('c')
  early.close()
  expect(open()).toBe(0)
  expect(openedAhead.mock.calls).toEqual([['unused'], ['unused'], ['unused']])
  expect(clock.pending).toBe(0)
})

it('no more wait than may, and an engine that connects for no turn is left as it is', async () => {
  const { early, clock, open, turnOf } = bench()
  for (let call = 0; call < 2 * MOST_WAITING; call += 1) early.expect(String(call))
  expect(open()).toBe(MOST_WAITING)
  expect(await turnOf(String(MOST_WAITING))).toEqual(['new', 'new'])
  early.close()
  const plain: Transcriber = { name: 'plain', transcribe: async () => ({ text: 'x', durationMs: 0 }) }
  const none = new EarlyListeners({ transcriber: plain, clock })
  none.expect('a')
  expect(none.transcriberOf('a')).toBe(plain)
})
