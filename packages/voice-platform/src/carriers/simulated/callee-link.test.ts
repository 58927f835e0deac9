import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { tone } from '../../link/link.contract.js'
import { CalleeLink } from './callee-link.js'

function call() {
  const clock = new ManualClock()
  const link = new CalleeLink(clock)
  const closed: string[] = []
  link.open({
    onAudio: () => {},
    onMessage: () => {},
    onDigit: () => {},
    onClosed: (reason) => closed.push(reason),
  })
  return { clock, link, closed }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('the simulated callee', () => {
  it('listens to the end in real time, waits a moment and hangs up', async () => {
    const { clock, link, closed } = call()
    const outcomes: string[] = []
    link.send(tone(3_000, 0.3))
    link.mark().then((outcome) => outcomes.push(outcome))
    clock.advance(2_999)
    await turn()
    expect(outcomes).toEqual([])
    clock.advance(1)
    await turn()
    expect(outcomes).toEqual(['played'])
    clock.advance(1_499)
    expect(closed).toEqual([])
    clock.advance(1)
    expect(closed).toEqual(['left'])
    await link.gone
    expect(clock.pending).toBe(0)
  })

  it('listens on when the next sentence comes in time', () => {
    const { clock, link, closed } = call()
    link.send(tone(1_000, 0.3))
    clock.advance(2_000)
    link.send(tone(1_000, 0.3))
    clock.advance(2_400)
    expect(closed).toEqual([])
    clock.advance(200)
    expect(closed).toEqual(['left'])
  })

  it('loses patience when nobody speaks', () => {
    const { clock, link, closed } = call()
    link.mark()
    clock.advance(9_999)
    expect(closed).toEqual([])
    clock.advance(1)
    expect(closed).toEqual(['left'])
  })

  it('tells how much it heard before a clear', async () => {
    const { clock, link } = call()
    link.send(tone(3_000, 0.3))
    clock.advance(600)
    expect(await link.clear()).toBe(600)
  })

  it('is quiet once the call was ended from our side', async () => {
    const { clock, link, closed } = call()
    link.send(tone(3_000, 0.3))
    const mark = link.mark()
    link.close('assistant-ended-call')
    expect(await mark).toBe('cleared')
    await link.gone
    link.send(tone(100, 0.3))
    clock.advance(60_000)
    expect(closed).toEqual([])
    expect(clock.pending).toBe(0)
  })
})
