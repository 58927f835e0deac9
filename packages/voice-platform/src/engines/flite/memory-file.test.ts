import { describe, expect, it } from 'vitest'
import { MemoryFile } from './memory-file.js'

describe('MemoryFile', () => {
  it('grows, and can be overwritten in the middle', () => {
    const file = new MemoryFile()
    const large = new Uint8Array(1_000_000).fill(7)
    expect(file.write(large)).toBe(true)
    expect(file.seek(10, 0)).toBe(10)
    expect(file.write(Uint8Array.of(1, 2))).toBe(true)
    expect(file.contents).toHaveLength(1_000_000)
    expect([...file.contents.subarray(9, 13)]).toEqual([7, 1, 2, 7])
  })

  it('seeks from the start, from here and from the end', () => {
    const file = new MemoryFile()
    file.write(new Uint8Array(100))
    expect(file.seek(5, 0)).toBe(5)
    expect(file.seek(3, 1)).toBe(8)
    expect(file.seek(-1, 2)).toBe(99)
    expect(file.seek(-200, 1)).toBe(-1)
    expect(file.seek(0, 9)).toBe(-1)
  })

  it('is empty again once it is cleared', () => {
    const file = new MemoryFile()
    file.write(Uint8Array.of(1, 2, 3))
    file.clear()
    expect(file.contents).toHaveLength(0)
    file.write(Uint8Array.of(4))
    expect([...file.contents]).toEqual([4])
  })

  it('has an end', () => {
    const file = new MemoryFile()
    expect(file.write(new Uint8Array(8 << 20))).toBe(true)
    expect(file.write(Uint8Array.of(1))).toBe(false)
    expect(file.contents).toHaveLength(8 << 20)
  })
})
