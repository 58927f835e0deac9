import { describe, expect, it } from 'vitest'
import { NEW_PHONE, type PhoneEvent, type PhoneState, phoneAfter, screenOf } from './phone.js'

const ring = (callId: string) => ({ callId, from: '+12025550100', to: '+12025550123' })

const after = (...events: PhoneEvent[]): PhoneState => events.reduce(phoneAfter, NEW_PHONE)

const open: PhoneEvent = { type: 'line', line: 'open' }
const rings = (callId: string): PhoneEvent => ({ type: 'ring', ring: ring(callId) })
const answer = (callId: string): PhoneEvent => ({ type: 'answer', callId })
const join = (callId: string): PhoneEvent => ({ type: 'join', callId })
const talk = (callId: string): PhoneEvent => ({ type: 'talk', callId, at: 1000 })

describe('the phone', () => {
  it('waits for its line, then for a call', () => {
    expect(NEW_PHONE.line).toBe('connecting')
    expect(after(open)).toEqual({ line: 'open', rings: [], level: 0 })
    expect(screenOf(after(open))).toBe('waiting')
  })

  it('rings, is answered, joins and talks', () => {
    const ringing = after(open, rings('a'))
    expect([screenOf(ringing), ringing.rings]).toEqual(['ringing', [ring('a')]])
    const answering = phoneAfter(ringing, answer('a'))
    expect([screenOf(answering), answering.rings]).toEqual(['call', []])
    expect(answering.call).toEqual({ ...ring('a'), stage: 'answering' })
    const talking = phoneAfter(phoneAfter(answering, join('a')), talk('a'))
    expect(talking.call).toEqual({ ...ring('a'), stage: 'talking', talkingSince: 1000 })
  })

  it('waits again when the call is over, and says why', () => {
    const over = after(open, rings('a'), answer('a'), join('a'), {
      type: 'over',
      callId: 'a',
      notice: 'ended',
    })
    expect(over).toEqual({ line: 'open', rings: [], level: 0, notice: 'ended' })
  })

  it('forgets why when it rings again', () => {
    const again = after(open, rings('a'), { type: 'over', callId: 'a', notice: 'no-answer' }, rings('b'))
    expect(again.notice).toBeUndefined()
  })

  it('stops ringing', () => {
    const stopped = after(open, rings('a'), { type: 'over', callId: 'a', notice: 'answered-elsewhere' })
    expect([screenOf(stopped), stopped.notice]).toEqual(['waiting', 'answered-elsewhere'])
  })

  it('rings once for a call that is told twice, and not for the one it is in', () => {
    expect(after(open, rings('a'), rings('a')).rings).toHaveLength(1)
    expect(after(open, rings('a'), answer('a'), rings('a')).rings).toHaveLength(0)
  })

  it('keeps a second caller waiting until the first call is over', () => {
    const busy = after(open, rings('a'), answer('a'), rings('b'))
    expect(screenOf(busy)).toBe('call')
    expect(phoneAfter(busy, answer('b'))).toBe(busy)
    const free = phoneAfter(busy, { type: 'over', callId: 'a', notice: 'ended' })
    expect([screenOf(free), free.rings]).toEqual(['ringing', [ring('b')]])
  })

  it('does not mind what is said of calls that it does not know', () => {
    const ringing = after(open, rings('a'))
    for (const event of [
      answer('x'),
      join('x'),
      talk('x'),
      { type: 'over', callId: 'x', notice: 'ended' },
    ] as const)
      expect(phoneAfter(ringing, event)).toBe(ringing)
  })

  it('loses with the line what rings and what is not connected yet', () => {
    const lost: PhoneEvent = { type: 'line', line: 'lost' }
    expect(screenOf(after(open, rings('a'), lost))).toBe('waiting')
    expect(screenOf(after(open, rings('a'), answer('a'), lost))).toBe('waiting')
    expect(after(open, rings('a'), answer('a'), join('a'), talk('a'), lost).call?.stage).toBe('talking')
  })

  it('shows the level of a call only', () => {
    const level: PhoneEvent = { type: 'level', level: 0.2 }
    expect(after(open, level).level).toBe(0)
    expect(after(open, rings('a'), answer('a'), level).level).toBe(0.2)
    expect(
      after(open, rings('a'), answer('a'), level, { type: 'over', callId: 'a', notice: 'ended' }).level,
    ).toBe(0)
  })
})
