import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, describe, expect, it } from 'vitest'
import { VoiceActivityDetector } from '../audio/vad.js'
import { synthesize } from '../engines/flite/synthesize.js'
import { type Turn, TurnDetector } from './turn-detector.js'

const frames = (count: number, level: number) => new Int16Array(count * 320).fill(level)

let clock: ManualClock
let log: (string | number)[]
let framesToStart: number
let endsAfterMs: number
let last: Turn | undefined
beforeEach(() => {
  clock = new ManualClock()
  log = []
  framesToStart = 4
  endsAfterMs = 500
})

function detector(vad = { isSpeech: (frame: Int16Array) => frame[0] !== 0 }) {
  return new TurnDetector({
    vad,
    clock,
    framesToStart: () => framesToStart,
    endsAfterMs: () => endsAfterMs,
    onStarted: () => log.push('started'),
    onPaused: (turn) => {
      log.push('paused', turn.speech.length / 320)
      last = turn
    },
    onResumed: () => log.push('resumed'),
    onEnded: (turn) => {
      log.push('ended', turn.speech.length / 320)
      last = turn
    },
  })
}

/** Audio in its own time, 20 ms at once. */
function play(turns: TurnDetector, samples: Int16Array): void {
  for (let at = 0; at < samples.length; at += 320) {
    clock.advance(20)
    turns.audio(samples.subarray(at, at + 320))
  }
}

describe('TurnDetector', () => {
  it('starts a turn with the fourth voiced frame and ends it after as much silence as it is told', () => {
    const turns = detector()
    play(turns, frames(3, 500))
    expect(log).toEqual([])
    play(turns, frames(1, 500))
    expect(log).toEqual(['started'])
    play(turns, frames(24, 0))
    expect(turns.speaking).toBe(true)
    play(turns, frames(1, 0))
    expect(log).toEqual(['started', 'paused', 12, 'ended', 12])
    expect(turns.speaking).toBe(false)
  })

  it('keeps 300 ms from before the start and 160 ms of the silence after the end', () => {
    const turns = detector()
    play(turns, frames(50, 0))
    play(turns, frames(20, 500))
    play(turns, frames(25, 0))
    expect(log).toEqual(['started', 'paused', 11 + 20 + 8, 'ended', 11 + 20 + 8])
  })

  it('knows when the caller began and stopped, however late that was noticed', () => {
    const turns = detector()
    play(turns, frames(50, 0))
    const began = clock.now()
    play(turns, frames(20, 500))
    const stopped = clock.now()
    endsAfterMs = 2000
    play(turns, frames(100, 0))
    expect(last).toMatchObject({ startedAt: began, endedAt: stopped })
    expect(log.at(-2)).toBe('ended')
  })

  it('tells once that the caller pauses, and that the caller goes on with the first voiced frame', () => {
    const turns = detector()
    play(turns, frames(10, 500))
    play(turns, frames(7, 0))
    expect(log).toEqual(['started'])
    play(turns, frames(10, 0))
    play(turns, frames(1, 500))
    expect(log).toEqual(['started', 'paused', 18, 'resumed'])
    play(turns, frames(25, 0))
    expect(log.slice(4)).toEqual(['paused', 18 + 9 + 1 + 8, 'ended', 36])
  })

  it('asks at every frame how much silence ends the turn, and when it is told that this has changed', () => {
    endsAfterMs = 1500
    const turns = detector()
    play(turns, frames(10, 500))
    play(turns, frames(30, 0))
    turns.check()
    expect(log).not.toContain('ended')
    endsAfterMs = 600
    turns.check()
    expect(log.at(-2)).toBe('ended')
    turns.check()
    expect(log.filter((entry) => entry === 'ended')).toHaveLength(1)
  })

  it('ends no turn before the caller pauses', () => {
    endsAfterMs = 0
    const turns = detector()
    play(turns, frames(10, 500))
    play(turns, frames(7, 0))
    turns.check()
    expect(log).toEqual(['started'])
    play(turns, frames(1, 0))
    expect(log.at(-2)).toBe('ended')
  })

  it('asks for more frames where it is told to', () => {
    framesToStart = 10
    const turns = detector()
    play(turns, frames(9, 500))
    play(turns, frames(5, 0))
    expect(log).toEqual([])
    play(turns, frames(10, 500))
    expect(log).toEqual(['started'])
  })

  it('goes on through short pauses', () => {
    const turns = detector()
    for (let word = 0; word < 5; word += 1) {
      play(turns, frames(10, 500))
      play(turns, frames(20, 0))
    }
    expect(log).toContain('started')
    expect(log).not.toContain('ended')
  })

  it('takes audio in pieces of any size', () => {
    const turns = detector()
    for (let piece = 0; piece < 20 * 320; piece += 77) turns.audio(new Int16Array(77).fill(500))
    expect(log).toEqual(['started'])
    turns.audio(frames(26, 0))
    expect(log.at(-2)).toBe('ended')
  })

  it('ends a turn when no more audio comes, as from a muted microphone', () => {
    const turns = detector()
    play(turns, frames(20, 500))
    clock.advance(480)
    expect(log).toEqual(['started'])
    clock.advance(100)
    expect(log).toEqual(['started', 'paused', 20, 'ended', 20])
    expect(last?.endedAt).toBe(clock.now() - 580)
    expect(clock.pending).toBe(0)
  })

  it('waits without audio, too, for as long as it is told', () => {
    endsAfterMs = 1500
    const turns = detector()
    play(turns, frames(20, 500))
    clock.advance(1480)
    expect(log).toEqual(['started', 'paused', 20])
    clock.advance(100)
    expect(log.at(-2)).toBe('ended')
  })

  it('ends a turn after a minute, and starts another', () => {
    const turns = detector()
    play(turns, frames(3000, 500))
    expect(log).toEqual(['started', 'ended', 3000])
    play(turns, frames(4, 500))
    expect(log.at(-1)).toBe('started')
  })

  it('ends the open turn when it is closed, and reports nothing after it', () => {
    const turns = detector()
    play(turns, frames(20, 500))
    turns.close()
    clock.advance(5000)
    expect(log).toEqual(['started', 'ended', 20])
    expect(clock.pending).toBe(0)
  })

  it('finds real speech, and nothing in silence and quiet noise', () => {
    const turns = detector(new VoiceActivityDetector())
    let seed = 1
    const noise = frames(200, 0).map(() => {
      seed = (seed * 48_271) % 2_147_483_647
      return (seed % 400) - 200
    })
    play(turns, frames(100, 0))
    play(turns, noise)
    expect(log).toEqual([])
    const speech = synthesize('Hello there, I would like to know when you are open.')
    play(turns, speech)
    play(turns, noise.subarray(0, 40 * 320))
    expect(log.filter((entry) => entry === 'started' || entry === 'ended')).toEqual(['started', 'ended'])
    const ms = Number(log.at(-1)) * 20
    expect(ms).toBeGreaterThan(speech.length / 16 - 500)
    expect(ms).toBeLessThan(speech.length / 16 + 800)
  })
})
