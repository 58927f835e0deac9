import { describe, expect, it } from 'vitest'
import { closeReason, MAX_CLOSE_REASON_BYTES } from './room-socket.js'

describe('closeReason', () => {
  it('leaves what fits', () => {
    expect(closeReason('')).toBe('')
    expect(closeReason('x'.repeat(MAX_CLOSE_REASON_BYTES))).toHaveLength(MAX_CLOSE_REASON_BYTES)
  })

  it.each([
    ['x'.repeat(500), 123],
    ['é'.repeat(120), 61],
    ['…'.repeat(120), 41],
    ['😀'.repeat(120), 60],
    ['\ud800'.repeat(120), 41],
  ])('cuts %.10s… by bytes, never inside a character', (text, length) => {
    const cut = closeReason(text)
    expect(cut).toBe(text.slice(0, length))
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(MAX_CLOSE_REASON_BYTES)
  })
})
