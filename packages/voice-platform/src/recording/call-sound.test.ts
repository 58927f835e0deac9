import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { ScriptedLink } from '../testing/scripted-link.js'
import { settled } from '../testing/session-bench.js'
import { CallSound } from './call-sound.js'
import { RecordedLink } from './recorded-link.js'

const CALLER = 1_000
const ASSISTANT = 2_000
const samples = (ms: number, value: number) => new Int16Array(ms * 16).fill(value)

/** Stretches of one channel: the first millisecond of each, and its value. */
function stretches(both: Int16Array, channel: 0 | 1): [ms: number, value: number][] {
  const found: [number, number][] = []
  for (let at = 0; at * 2 < both.length; at += 1) {
    const value = both[at * 2 + channel] ?? 0
    if (found.at(-1)?.[1] !== value) found.push([at / 16, value])
  }
  return found
}

function setUp() {
  const clock = new ManualClock()
  const sound = new CallSound(clock)
  const scripted = new ScriptedLink()
  scripted.playsAtOnce = false
  const link = new RecordedLink(scripted, sound, () => false)
  link.open({ onAudio: () => {}, onMessage: () => {}, onDigit: () => {}, onClosed: () => {} })
  const speak = (ms: number, value = CALLER) => {
    for (let at = 0; at < ms; at += 20) {
      clock.advance(20)
      scripted.handlers.onAudio(samples(20, value))
    }
  }
  return { clock, link, scripted, sound, speak }
}

describe('the sound of a call', () => {
  it('has the caller left and the assistant right, each where it was heard', () => {
    const { clock, link, sound, speak } = setUp()
    clock.advance(500)
    speak(1_000)
    clock.advance(300)
    // Ahead of real time, as links want it.
    link.send(samples(400, ASSISTANT))
    link.send(samples(600, ASSISTANT))
    clock.advance(2_000)
    const both = sound.rest()
    expect(both.length).toBe(3_800 * 32)
    expect(stretches(both, 0)).toEqual([
      [0, 0],
      [500, CALLER],
      [1_500, 0],
    ])
    expect(stretches(both, 1)).toEqual([
      [0, 0],
      [1_800, ASSISTANT],
      [2_800, 0],
    ])
  })

  it('cuts speech where the link says that playback stood', async () => {
    const { clock, link, scripted, sound } = setUp()
    clock.advance(1_000)
    link.send(samples(5_000, ASSISTANT))
    clock.advance(900)
    // The client plays from a queue, 150 ms behind us.
    scripted.playedMs = 750
    await link.clear()
    clock.advance(600)
    link.send(samples(200, ASSISTANT))
    clock.advance(1_000)
    expect(stretches(sound.rest(), 1)).toEqual([
      [0, 0],
      [1_000, ASSISTANT],
      [1_750, 0],
      [2_500, ASSISTANT],
      [2_700, 0],
    ])
  })

  it('counts what was played from the last mark that was reached', async () => {
    const { clock, link, scripted, sound } = setUp()
    link.send(samples(1_000, ASSISTANT))
    void link.mark()
    link.send(samples(3_000, ASSISTANT + 1))
    clock.advance(1_500)
    scripted.playOne()
    await settled()
    scripted.playedMs = 400
    await link.clear()
    clock.advance(1_000)
    expect(stretches(sound.rest(), 1)).toEqual([
      [0, ASSISTANT],
      [1_000, ASSISTANT + 1],
      [1_400, 0],
    ])
  })

  it('cuts by the clock where the link cannot tell', async () => {
    const { clock, link, sound } = setUp()
    link.send(samples(3_000, ASSISTANT))
    clock.advance(700)
    await link.clear()
    clock.advance(500)
    expect(stretches(sound.rest(), 1)).toEqual([
      [0, ASSISTANT],
      [700, 0],
    ])
  })

  it('is held back for a second, so that what is written needs no correction', async () => {
    const { clock, link, scripted, sound } = setUp()
    link.send(samples(5_000, ASSISTANT))
    clock.advance(2_000)
    const first = sound.settled()
    expect(first.length).toBe(1_000 * 32)
    scripted.playedMs = 1_800
    await link.clear()
    clock.advance(1_000)
    expect(stretches(sound.rest(), 1)).toEqual([
      [0, ASSISTANT],
      [800, 0],
    ])
    expect(sound.rest().length).toBe(0)
  })

  it('takes jitter for what it is, and a gap for silence', () => {
    const { clock, scripted, sound, speak } = setUp()
    speak(400)
    // Four frames at once, after a pause of as much.
    clock.advance(80)
    for (let frame = 0; frame < 4; frame += 1) scripted.handlers.onAudio(samples(20, CALLER))
    speak(120)
    clock.advance(1_000)
    speak(100)
    expect(stretches(sound.rest(), 0)).toEqual([
      [0, CALLER],
      [600, 0],
      [1_600, CALLER],
    ])
  })

  it('drops no word of what waited for the link, and catches up in the next pause', () => {
    const { clock, scripted, sound, speak } = setUp()
    // A second at once.
    for (let frame = 0; frame < 50; frame += 1) scripted.handlers.onAudio(samples(20, CALLER))
    speak(1_000, 0)
    speak(200, CALLER + 1)
    clock.advance(1_000)
    expect(stretches(sound.rest(), 0)).toEqual([
      [0, CALLER],
      [1_000, 0],
      [1_200, CALLER + 1],
      [1_400, 0],
    ])
  })

  it('is a copy: who owns the samples may use them again', () => {
    const { clock, scripted, sound } = setUp()
    const frame = samples(20, CALLER)
    clock.advance(20)
    scripted.handlers.onAudio(frame)
    frame.fill(0)
    expect(stretches(sound.rest(), 0)).toEqual([[0, CALLER]])
  })
})
