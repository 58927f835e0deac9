import { ManualClock } from '@heyline/kit/manual-clock'
import type { TranscriptLine } from '@heyline/web-call'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CallStrip } from './call-strip.js'

/** A microphone as the call client has it: it can be muted in a call only. */
class CallMicrophone {
  inCall = true
  #muted = false

  setMuted(muted: boolean): void {
    if (!this.inCall) throw new Error('Call object is not available.')
    this.#muted = muted
  }

  isMuted(): boolean {
    return this.inCall && this.#muted
  }
}

const line: TranscriptLine = { id: 0, role: 'assistant', text: 'Hello.', isFinal: true }

describe('the strip', () => {
  let clock: ManualClock
  let microphone: CallMicrophone
  let strip: CallStrip
  beforeEach(() => {
    clock = new ManualClock(1_000)
    microphone = new CallMicrophone()
    strip = new CallStrip(microphone, clock)
    strip.begin()
  })

  it('says whether the line stands, and begins each call with one that does', () => {
    expect(strip.get().connected).toBe(true)
    strip.connect(false)
    expect(strip.get().connected).toBe(false)
    strip.connect(true)
    expect(strip.get().connected).toBe(true)
    strip.connect(false)
    strip.begin()
    expect(strip.get().connected).toBe(true)
  })

  it('counts whole seconds from the start of the call', () => {
    const seen: number[] = []
    strip.subscribe(() => seen.push(strip.get().seconds))
    clock.advance(999)
    expect(strip.get().seconds).toBe(0)
    clock.advance(2_001)
    expect(strip.get().seconds).toBe(3)
    expect(seen).toEqual([1, 2, 3])
  })

  it('goes by the clock where it is woken late', () => {
    const late = { now: () => 0, after: vi.fn<(milliseconds: number, run: () => void) => () => void>() }
    late.after.mockReturnValue(() => {})
    const slept = new CallStrip(microphone, late)
    slept.begin()
    late.now = () => 61_250
    late.after.mock.lastCall?.[1]()
    expect(slept.get().seconds).toBe(61)
    expect(late.after.mock.lastCall?.[0]).toBe(750)
  })

  it('ends its timer with the call, and forgets what was said', () => {
    strip.hear(line)
    strip.toggleTranscript()
    strip.level.measure(0.5)
    expect(strip.get().lines).toHaveLength(1)
    clock.advance(5_000)
    strip.end()
    expect(clock.pending).toBe(0)
    expect(strip.get()).toEqual({ seconds: 0, muted: false, connected: true, open: false, lines: [] })
    expect(strip.level.get()).toBe(0)
  })

  it('begins anew with each call, also when the last one was not seen to end', () => {
    strip.hear(line)
    strip.toggleTranscript()
    clock.advance(4_500)
    strip.begin()
    expect(strip.get()).toEqual({ seconds: 0, muted: false, connected: true, open: false, lines: [] })
    expect(clock.pending).toBe(1)
    clock.advance(1_000)
    expect(strip.get().seconds).toBe(1)
  })

  it('mutes and opens the microphone', () => {
    strip.toggleMute()
    expect(microphone.isMuted()).toBe(true)
    expect(strip.get().muted).toBe(true)
    strip.toggleMute()
    expect(microphone.isMuted()).toBe(false)
    expect(strip.get().muted).toBe(false)
  })

  it('shows a microphone that is muted from the start', () => {
    microphone.setMuted(true)
    strip.begin()
    expect(strip.get().muted).toBe(true)
  })

  it('stands a mute without a call', () => {
    vi.spyOn(console, 'debug').mockImplementationOnce(() => undefined)
    microphone.inCall = false
    strip.toggleMute()
    expect(strip.get().muted).toBe(false)
  })

  it('keeps the transcript while it is closed', () => {
    strip.hear(line)
    strip.toggleTranscript()
    expect(strip.get()).toMatchObject({ open: true, lines: [{ text: 'Hello.' }] })
  })

  it('shows the newest words of a line in its place, also of one that began before the call did', () => {
    const second: TranscriptLine = { id: 1, role: 'user', text: 'When', isFinal: false }
    strip.hear(second)
    strip.hear({ ...line, id: 2 })
    strip.hear({ ...second, text: 'When are you open?', isFinal: true })
    expect(strip.get().lines.map(({ text }) => text)).toEqual(['When are you open?', 'Hello.'])
  })

  it('leaves its state alone when the level changes', () => {
    const state = strip.get()
    strip.level.measure(0.4)
    expect(strip.level.get()).toBe(0.4)
    expect(strip.get()).toBe(state)
  })
})
