import { describe, expect, it } from 'vitest'
import { Outbox } from './outbox.js'

const speech = (value: number, bytes = 2) => new Uint8Array(bytes).fill(value)
const sent = { isSent: true }
const unsent = { isSent: false }

describe('what was sent to a client', () => {
  it('goes out again over the next connection, but for what the client has', () => {
    const outbox = new Outbox()
    outbox.add('one', sent)
    outbox.add(speech(2), sent)
    outbox.add('three', sent)
    outbox.add('four', unsent)
    expect(outbox.restart(2)).toEqual(['three', 'four'])
    outbox.add('five', sent)
    // Counted anew: the client has the first of this connection.
    expect(outbox.restart(1)).toEqual(['four', 'five'])
    expect(outbox.restart(0)).toEqual(['four', 'five'])
    expect(outbox.restart(9)).toEqual([])
  })

  it('is held no longer than until its mark is answered', () => {
    const outbox = new Outbox()
    outbox.add(speech(1), sent)
    outbox.add('mark 1', { isSent: true, id: 1, isMark: true })
    outbox.add(speech(2), sent)
    outbox.answered(7)
    expect(outbox.restart(0)).toHaveLength(3)
    outbox.answered(1)
    expect(outbox.restart(0)).toEqual([speech(2)])
  })

  it('loses its speech and marks with a clear, and keeps its messages', () => {
    const outbox = new Outbox()
    outbox.add(speech(1), sent)
    outbox.add('transcript', sent)
    outbox.add('mark 1', { isSent: true, id: 1, isMark: true })
    outbox.clear()
    outbox.add('clear 2', { isSent: true, id: 2 })
    expect(outbox.restart(0)).toEqual(['transcript', 'clear 2'])
    outbox.answered(2)
    expect(outbox.restart(0)).toEqual([])
  })

  it('is forgotten from its beginning when it is more than a minute of speech, but for the texts', () => {
    const outbox = new Outbox()
    outbox.add('first', sent)
    outbox.add(speech(1, 1_000_000), sent)
    outbox.add(speech(2, 1_000_000), sent)
    outbox.add('next', sent)
    expect(outbox.restart(0).map(({ length }) => length)).toEqual([5, 1_000_000, 1_000_000, 4])
    outbox.add(speech(3, 1), sent)
    expect(outbox.restart(0).map(({ length }) => length)).toEqual([5, 1_000_000, 4, 1])
    expect(outbox.isTorn).toBe(false)
  })

  it('cannot follow when its texts are too many, until the client has answered', () => {
    const outbox = new Outbox()
    outbox.add('x'.repeat(1_000_000), sent)
    outbox.add('y'.repeat(1_000_000), unsent)
    expect(outbox.isTorn).toBe(false)
    outbox.add('z', sent)
    expect(outbox.isTorn).toBe(true)
    outbox.add('mark 1', { isSent: true, id: 1, isMark: true })
    outbox.add('next', sent)
    outbox.answered(7)
    expect(outbox.isTorn).toBe(true)
    outbox.answered(1)
    expect([outbox.isTorn, outbox.restart(0)]).toEqual([false, ['next']])
  })
})
