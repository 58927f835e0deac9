import { describe, expect, it } from 'vitest'
import {
  listedTexts,
  NEW_PHONE,
  type PhoneEvent,
  type PhoneState,
  phoneAfter,
  screenOf,
  shownTexts,
  unreadTexts,
} from './phone.js'

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
    expect(after(open)).toEqual({ line: 'open', rings: [], texts: [], level: 0 })
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
    expect(over).toEqual({ line: 'open', rings: [], texts: [], level: 0, notice: 'ended' })
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

  it('says what the lost line has cost', () => {
    const lost: PhoneEvent = { type: 'line', line: 'lost' }
    expect(after(open, rings('a'), lost).notice).toBe('line-lost')
    expect(after(open, rings('a'), answer('a'), lost).notice).toBe('cut-off')
    expect(after(open, rings('a'), answer('a'), join('a'), talk('a'), lost).notice).toBeUndefined()
    expect(after(open, lost).notice).toBeUndefined()
  })

  it('says that the line is back, until it rings, is lost again, or enough has been said', () => {
    const lost: PhoneEvent = { type: 'line', line: 'lost' }
    const back = after(open, lost, open)
    expect([after(open).isBack, back.isBack]).toEqual([undefined, true])
    for (const event of [{ type: 'settle' }, rings('a'), lost] as const)
      expect(phoneAfter(back, event)).not.toHaveProperty('isBack')
  })

  it('says in a call that its sound is interrupted, and back', () => {
    const talking = after(open, rings('a'), answer('a'), join('a'), talk('a'))
    const sound = (isInterrupted: boolean): PhoneEvent => ({ type: 'sound', callId: 'a', isInterrupted })
    const interrupted = phoneAfter(talking, sound(true))
    expect([interrupted.call?.isInterrupted, interrupted.isBack]).toEqual([true, undefined])
    const back = phoneAfter(interrupted, sound(false))
    expect([back.call?.isInterrupted, back.isBack]).toEqual([false, true])
    expect(phoneAfter(talking, sound(false)).isBack).toBeUndefined()
  })

  it('is muted for one call', () => {
    const mute = (callId: string): PhoneEvent => ({ type: 'mute', callId, isMuted: true })
    const muted = after(open, rings('a'), answer('a'), mute('a'))
    expect(muted.call?.isMuted).toBe(true)
    expect(after(open, rings('a'), answer('a'), mute('x')).call?.isMuted).toBeUndefined()
    const next = [{ type: 'over', callId: 'a', notice: 'ended' } as const, rings('b'), answer('b')]
    expect(next.reduce(phoneAfter, muted).call?.isMuted).toBeUndefined()
  })

  describe('with texts', () => {
    const text = (id: string): PhoneEvent => ({
      type: 'text',
      text: { id, from: '+12025550100', to: '+12025550123', body: `Text ${id}` },
    })
    const dismiss = (id: string): PhoneEvent => ({ type: 'dismiss', id })
    const shown = (...events: PhoneEvent[]) => shownTexts(after(...events)).map(({ id }) => id)

    it('shows the latest three, oldest first', () => {
      expect(shown(open, text('a'), text('b'))).toEqual(['a', 'b'])
      expect(shown(open, text('a'), text('b'), text('c'), text('d'))).toEqual(['b', 'c', 'd'])
    })

    it('takes a dismissed one off the screen, and brings no older one back', () => {
      expect(shown(open, text('a'), dismiss('a'))).toEqual([])
      expect(shown(...['a', 'b', 'c', 'd'].map(text), dismiss('c'))).toEqual(['b', 'd'])
    })

    it('shows none twice when the line comes back and brings them again, whatever was dismissed', () => {
      const ids = Array.from({ length: 25 }, (_, index) => String(index))
      const before = [open, ...ids.map(text), dismiss('24'), dismiss('22')]
      const again = [{ type: 'line', line: 'lost' } as const, open, ...ids.slice(-20).map(text)]
      expect(shown(...before, ...again)).toEqual(['23'])
      expect(after(...before, ...again).texts).toHaveLength(20)
    })

    it('lists all of them, the newest first, and counts those that nobody has dismissed or read', () => {
      const phone = after(open, ...['a', 'b', 'c', 'd', 'e'].map(text), dismiss('d'))
      expect(listedTexts(phone).map(({ id }) => id)).toEqual(['e', 'd', 'c', 'b', 'a'])
      expect(unreadTexts(phone)).toBe(4)
      const read = phoneAfter(phone, { type: 'read-texts' })
      expect([unreadTexts(read), shownTexts(read), listedTexts(read).length]).toEqual([0, [], 5])
      expect(phoneAfter(read, { type: 'read-texts' })).toBe(read)
    })

    it('keeps nothing of those that are erased, and they do not come back with the line', () => {
      const erased = after(open, text('a'), { type: 'erase-texts' })
      expect(JSON.stringify(erased)).not.toMatch(/Text a|202555/)
      const again = phoneAfter(erased, text('a'))
      expect([listedTexts(again), shownTexts(again), unreadTexts(again)]).toEqual([[], [], 0])
    })

    it('keeps them while it rings and talks', () => {
      const busy = [open, text('a'), rings('a'), answer('a'), join('a'), talk('a'), text('b')]
      expect(shown(...busy)).toEqual(['a', 'b'])
    })

    it('does not mind a dismissal of what it does not show', () => {
      const phone = after(open, text('a'), dismiss('a'))
      expect(phoneAfter(phone, dismiss('a'))).toBe(phone)
      expect(phoneAfter(phone, dismiss('x'))).toBe(phone)
    })
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
