import { describe, expect, it } from 'vitest'
import { type CallButtonEvent, IDLE_BUTTON, nextCallButton } from './call-button.js'

const after = (...events: CallButtonEvent[]) => events.reduce(nextCallButton, IDLE_BUTTON)
const pressed: CallButtonEvent = { type: 'pressed' }
const started = (attempt: number): CallButtonEvent => ({ type: 'started', attempt })
const ended = (attempt: number): CallButtonEvent => ({ type: 'ended', attempt })

describe('the call button', () => {
  it('connects when pressed, is in the call when it started, idle when it ended', () => {
    expect(after(pressed).phase).toBe('connecting')
    expect(after(pressed, started(1)).phase).toBe('in-call')
    expect(after(pressed, started(1), ended(1)).phase).toBe('idle')
  })

  it('ignores a press while connecting', () => {
    expect(after(pressed, pressed)).toEqual({ phase: 'connecting', attempt: 1 })
  })

  it('stays in the call when pressed, until the call has ended', () => {
    expect(after(pressed, started(1), pressed)).toEqual({ phase: 'in-call', attempt: 1 })
  })

  it('returns to idle when a call ends before it started', () => {
    expect(after(pressed, ended(1)).phase).toBe('idle')
  })

  it('is not moved by an older attempt', () => {
    expect(after(pressed, ended(1), pressed, ended(1))).toEqual({
      phase: 'connecting',
      attempt: 2,
    })
    expect(after(pressed, ended(1), pressed, started(1)).phase).toBe('connecting')
  })

  it('knows afterwards whether there had been a conversation', () => {
    expect(after(pressed, ended(1)).outcome).toBe('failed')
    expect(after(pressed, started(1), ended(1)).outcome).toBe('ended')
    expect(after(pressed, started(1), ended(1), pressed).outcome).toBeUndefined()
    expect(after(pressed, started(1), ended(1), pressed, ended(2)).outcome).toBe('failed')
  })

  it('is not started by a call that already ended', () => {
    expect(after(pressed, ended(1), started(1)).phase).toBe('idle')
  })
})
