import { ManualClock } from '@heyline/kit/manual-clock'
import { beforeEach, describe, expect, it } from 'vitest'
import { Speaker } from './speaker.js'

const NAMED = { address: '192.0.2.10', port: 4_000 }
/** As a router writes it, and somebody else behind the same router. */
const ROUTED = { address: '192.0.2.10', port: 61_000 }
const STRANGER = { address: '192.0.2.10', port: 62_000 }

let clock: ManualClock
let speaker: Speaker
beforeEach(() => {
  clock = new ManualClock()
  speaker = new Speaker(clock)
})
const hears = (from: typeof NAMED, source: number) => speaker.hears(source, from, NAMED)

describe('the speaker', () => {
  it('is whoever comes first, until it is silent', () => {
    expect(hears(ROUTED, 1)).toBe(true)
    clock.advance(99)
    expect(hears(ROUTED, 2)).toBe(false)
    clock.advance(1)
    expect(hears(ROUTED, 2)).toBe(true)
    expect(hears(ROUTED, 1)).toBe(false)
  })

  it('is another port only after a longer silence, also with the same source', () => {
    hears(ROUTED, 1)
    clock.advance(1_499)
    expect(hears(STRANGER, 1)).toBe(false)
    clock.advance(1)
    expect(hears(STRANGER, 1)).toBe(true)
  })

  it('is not silent for others who send', () => {
    hears(ROUTED, 1)
    const heard = Array.from({ length: 100 }, () => {
      clock.advance(20)
      return [hears(STRANGER, 2), hears(ROUTED, 1)]
    })
    expect(heard).toEqual(Array(100).fill([false, true]))
  })

  it('is at once whoever sends from where the phone said, and then nobody else', () => {
    hears(STRANGER, 2)
    expect(hears(NAMED, 1)).toBe(true)
    expect(hears(STRANGER, 2)).toBe(false)
    expect(hears(NAMED, 3)).toBe(false)
  })

  it('is whoever comes next when the phone has moved', () => {
    hears(ROUTED, 1)
    speaker.forget()
    expect(hears(STRANGER, 2)).toBe(true)
    expect(hears(ROUTED, 1)).toBe(false)
  })
})
