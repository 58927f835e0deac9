import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, expect, it } from 'vitest'
import { type EventStream, Live } from './live.js'

class ScriptedStream implements EventStream {
  readyState = 0
  readonly #listeners = new Map<string, () => void>()

  addEventListener(name: string, listener: () => void) {
    this.#listeners.set(name, listener)
  }

  close() {
    this.readyState = 2
  }

  tell(name: string) {
    this.#listeners.get(name)?.()
  }

  open() {
    this.readyState = 1
    this.tell('open')
  }

  /** The connection is lost; `isRefused`: the browser will not try again. */
  fail({ isRefused = false } = {}) {
    this.readyState = isRefused ? 2 : 0
    this.tell('error')
  }
}

let clock: ManualClock
let streams: ScriptedStream[]
let heard: string[]
let refreshes: number
let live: Live
const newest = () => streams.at(-1) ?? new ScriptedStream()

beforeEach(() => {
  clock = new ManualClock()
  streams = []
  heard = []
  refreshes = 0
  live = new Live({
    clock,
    open: () => {
      const stream = new ScriptedStream()
      streams.push(stream)
      return stream
    },
    names: ['call'],
    on: (name) => heard.push(name),
    refresh: () => refreshes++,
  })
  live.start()
})

it('tells of the events that it was asked for', () => {
  newest().open()
  newest().tell('call')
  newest().tell('visitors')
  expect(heard).toEqual(['call'])
  expect([live.get(), refreshes, clock.pending]).toEqual(['live', 0, 0])
})

it('has one stream, however often it is started', () => {
  live.start()
  expect(streams).toHaveLength(1)
})

it('asks again and again while the stream is lost, and once when it is back', () => {
  newest().open()
  newest().fail()
  expect(live.get()).toBe('polling')
  clock.advance(10_000)
  expect(refreshes).toBe(2)
  newest().open()
  expect([live.get(), refreshes]).toEqual(['live', 3])
  clock.advance(60_000)
  expect([refreshes, streams.length]).toEqual([3, 1])
})

it('opens a refused stream anew, later each time, up to half a minute', () => {
  for (const wait of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    const before = streams.length
    newest().fail({ isRefused: true })
    clock.advance(wait - 1)
    expect(streams).toHaveLength(before)
    clock.advance(1)
    expect(streams).toHaveLength(before + 1)
  }
  newest().open()
  newest().fail({ isRefused: true })
  clock.advance(1000)
  expect(streams).toHaveLength(9)
})

it('leaves nothing behind when it is stopped', () => {
  newest().fail({ isRefused: true })
  live.stop()
  expect([clock.pending, live.get()]).toEqual([0, 'opening'])
  live.start()
  expect(streams).toHaveLength(2)
})
