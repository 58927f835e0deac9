import { afterEach, describe, expect, it, vi } from 'vitest'
import { Emitter } from './emitter.js'

interface Events {
  said: [word: string, times: number]
  silence: []
}

afterEach(() => vi.restoreAllMocks())

describe('Emitter', () => {
  it('gives every listener the arguments, in the order they were put on', () => {
    const emitter = new Emitter<Events>()
    const heard: string[] = []
    emitter.on('said', (word, times) => heard.push(`a ${word} ${times}`))
    emitter.on('said', (word) => heard.push(`b ${word}`))
    emitter.emit('said', 'hello', 2)
    expect(heard).toEqual(['a hello 2', 'b hello'])
  })

  it('takes one listener off, or all of an event', () => {
    const emitter = new Emitter<Events>()
    const one = vi.fn()
    const other = vi.fn()
    emitter.on('silence', one).on('silence', other).off('silence', one)
    emitter.emit('silence')
    emitter.off('silence')
    emitter.emit('silence')
    expect([one.mock.calls.length, other.mock.calls.length]).toEqual([0, 1])
  })

  it('is not disturbed by a listener that takes itself off', () => {
    const emitter = new Emitter<Events>()
    const once = vi.fn(() => void emitter.off('silence', once))
    const always = vi.fn()
    emitter.on('silence', once).on('silence', always)
    emitter.emit('silence')
    emitter.emit('silence')
    expect([once.mock.calls.length, always.mock.calls.length]).toEqual([1, 2])
  })

  it('reports a throwing listener once and goes on', () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    const emitter = new Emitter<Events>()
    const after = vi.fn()
    const fault = new Error('listener')
    emitter.on('silence', () => {
      throw fault
    })
    emitter.on('silence', after)
    emitter.emit('silence')
    expect(after).toHaveBeenCalledOnce()
    expect(reported.mock.calls).toEqual([[fault]])
  })

  it('warns once when an event has more than 10 listeners', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const emitter = new Emitter<Events>()
    for (let count = 0; count < 10; count++) emitter.on('silence', () => {})
    expect(warned).not.toHaveBeenCalled()
    emitter.on('silence', () => {})
    emitter.on('silence', () => {})
    expect(warned).toHaveBeenCalledOnce()
    expect(warned.mock.calls[0]?.[0]).toContain('silence')
  })
})
