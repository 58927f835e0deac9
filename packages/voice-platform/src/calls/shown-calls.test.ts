import { describe, expect, it } from 'vitest'
import { ShownCalls } from './shown-calls.js'

const text = (written: string) => new TextEncoder().encode(written)

describe('shown calls', () => {
  it('are found by id and version, and forgotten with another version', () => {
    const shown = new ShownCalls()
    shown.keep('a', '7', text('seven'))
    expect(shown.find('a', '7')).toEqual(text('seven'))
    expect(shown.find('b', '7')).toBeUndefined()
    expect(shown.find('a', '8')).toBeUndefined()
    expect(shown.find('a', '7')).toBeUndefined()
    shown.keep('a', '8', text('eight'))
    expect(shown.find('a', null)).toBeUndefined()
  })

  it('take so many bytes at most: what was unused for longest goes', () => {
    const shown = new ShownCalls(10)
    shown.keep('a', '1', text('12345'))
    shown.keep('b', '1', text('12345'))
    expect(shown.find('a', '1')).toEqual(text('12345'))
    shown.keep('c', '1', text('12345'))
    expect(['a', 'b', 'c'].map((id) => shown.find(id, '1'))).toEqual([
      text('12345'),
      undefined,
      text('12345'),
    ])
    shown.keep('a', '2', text('x'.repeat(11)))
    expect(['a', 'c'].map((id) => shown.find(id, '2'))).toEqual([undefined, undefined])
  })

  it('count a call once, however often it changes', () => {
    const shown = new ShownCalls(10)
    for (let version = 0; version < 9; version += 1) shown.keep('a', String(version), text('12345'))
    shown.keep('b', '1', text('12345'))
    expect(shown.find('a', '8')).toEqual(text('12345'))
    expect(shown.find('b', '1')).toEqual(text('12345'))
  })
})
